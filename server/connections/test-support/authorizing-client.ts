import { testDatabase } from '../../../scripts/world/database.ts'
import type { IssuerClientForm } from '../../../shared/connections.ts'
import { discover } from '../oauth/discovery.ts'
import {
  connectionsUnderTest,
  link,
  nothingOffered,
  testAuthor,
  toConnection,
} from './connections-under-test.ts'

/**
 * What the conformance suite starts for its scenarios of authorization: an owner who agrees to whatever they are asked, and an
 * agent that calls every tool. `MCP_CONFORMANCE_CONTEXT` has the client id that was given to the operator, where one was.
 */

const url = process.argv.at(-1) ?? ''
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  readonly client_id?: string
  readonly client_secret?: string
}
const accountId = 'acc_conformance'
const owner = { author: testAuthor(accountId), sessionId: 'web-session' }
const scope = { accountId, sessionId: 'session' }
/** A tool server that never has enough is left alone after that. */
const mostConsents = 6

const own = await testDatabase()
const fileIssuers: IssuerClientForm[] = []
const subject = connectionsUnderTest({
  database: own.database,
  // A document can be read only where others reach this installation by https.
  origin: scenario === 'auth/basic-cimd' ? 'https://conformance-test.local' : 'http://127.0.0.1:7000',
  allowPrivate: ['127.0.0.0/8', '::1/128'],
  fileIssuers,
})
const { connections } = subject
const service = subject.registry.put({ url, authType: 'oauth' })
if (context.client_id !== undefined) {
  const { issuer } = await discover(service, fetch)
  fileIssuers.push({ issuer, clientId: context.client_id, clientSecret: context.client_secret ?? null })
}
const form = { service, secret: null, headerName: null, label: null }
const { id } = await connections.create(owner.author, form)

/** Returns whether the owner was sent away, agreed, and came back. */
async function agree(): Promise<boolean> {
  const start = await connections.oauth.begin(owner, id, null)
  if (start.kind !== 'away') return said(`${start.problem}: ${start.text}`)
  const answer = await fetch(start.redirectTo, { redirect: 'manual' })
  const location = answer.headers.get('location')
  if (location === null) return said(`nobody could agree: ${answer.status}`)
  const { outcome } = await connections.oauth.finish(owner, new URL(location).searchParams)
  return outcome === 'connected' || said(outcome)
}

function said(words: string): false {
  process.stderr.write(`${words}\n`)
  return false
}

/** Repeats a call after each consent that it wants. */
async function withConsents<Outcome extends { readonly outcome: string }>(
  call: () => Promise<Outcome>,
): Promise<Outcome> {
  let result = await call()
  for (let consents = 0; consents < mostConsents && result.outcome === 'consent_needed'; consents++) {
    if (!(await agree())) return result
    result = await call()
  }
  return result
}

const target = toConnection(id)
const listed = await withConsents(() => connections.listTools(scope, target, nothingOffered, link()))
if (listed.outcome === 'listed') {
  for (const { definition } of listed.tools) {
    const call = { name: definition.name, arguments: {} }
    const { outcome } = await withConsents(() =>
      connections.callTool(scope, target, call, nothingOffered, link()),
    )
    if (outcome !== 'answered') said(outcome)
  }
} else said(listed.outcome)
subject.stop()
await own.drop()
process.exit(0)
