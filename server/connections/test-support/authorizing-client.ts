import type { Database } from '../../platform/database.ts'
import type { IssuerClientForm } from '../../../shared/connections.ts'
import { discover } from '../oauth/discovery.ts'
import type { ConformanceScenario } from './conformance-clients.ts'
import {
  connectionsUnderTest,
  link,
  nothingOffered,
  testAuthor,
  toConnection,
} from './connections-under-test.ts'

/** A tool server that never has enough is left alone after that. */
const mostConsents = 6

/**
 * What the conformance suite asks for in its scenarios of authorization: an owner who agrees to whatever they are asked, and an
 * agent that calls every tool. The context has the client id that was given to the operator, where one was. Returns what went
 * otherwise, in words.
 */
export async function authorizingClient(
  { url, name, context }: ConformanceScenario,
  database: Database,
): Promise<string[]> {
  const accountId = `acc_${name}`
  const owner = { author: testAuthor(accountId), sessionId: 'web-session' }
  const scope = { accountId, sessionId: 'session' }
  const words: string[] = []
  const fileIssuers: IssuerClientForm[] = []
  const subject = connectionsUnderTest({
    database,
    // A document can be read only where others reach this installation by https.
    origin: name === 'auth/basic-cimd' ? 'https://conformance-test.local' : 'http://127.0.0.1:7000',
    allowPrivate: ['127.0.0.0/8', '::1/128'],
    fileIssuers,
  })
  const { connections } = subject
  const service = subject.registry.put({ url, authType: 'oauth' })
  const { client_id: clientId, client_secret: clientSecret } = context
  if (clientId !== undefined) {
    const { issuer } = await discover(service, fetch)
    fileIssuers.push({ issuer, clientId, clientSecret: clientSecret ?? null })
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

  function said(word: string): false {
    words.push(word)
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
  return words
}
