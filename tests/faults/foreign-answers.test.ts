import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  type CertificateFiles,
  type ChaosUpstream,
  startChaosUpstream,
} from '../../scripts/world/chaos-upstream.ts'
import { markOf } from '../../scripts/world/chaos-upstream/answers.ts'
import {
  type ConnectionsUnderTest,
  connectionsUnderTest,
  inBag,
  link,
  nothingOffered,
  toService,
} from '../../server/connections/test-support/connections-under-test.ts'
import { startTestRelay } from '../../server/relay/test-support/relay-under-test.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { createAuthority } from '../../scripts/world/certificates.ts'

/** 1,000,000 by hand: `GATEHOUSE_CHAOS_CALLS=1000000 npm test -- foreign-answers`. */
const calls = Number(process.env['GATEHOUSE_CHAOS_CALLS'] ?? 200_000)
const seed = Number(process.env['GATEHOUSE_CHAOS_SEED'] ?? randomInt(2 ** 31))
const crowds = [1, 2, 4, 16, 64]
/** Single calls take longest: most of the calls come in batches. */
const batchCalls = 100
const toolShare = { modern: 0.1, legacy: 0.01 }
const hasOpenssl = Bun.which('openssl') !== null

let folder = ''
let ca = ''
const opened: (() => unknown)[] = []

beforeAll(() => {
  process.stdout.write(`seed ${seed} (GATEHOUSE_CHAOS_SEED=${seed} repeats this run)\n`)
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-chaos-'))
})
afterAll(async () => {
  for (const close of opened.toReversed()) await close()
  rmSync(folder, { recursive: true, force: true })
})

function certificateFiles(): CertificateFiles {
  const authority = createAuthority()
  ca = authority.ca
  const { key, cert } = authority.issue(['IP:127.0.0.1'])
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  writeFileSync(files.key, key)
  writeFileSync(files.cert, cert)
  return files
}

interface Found {
  answered: number
  /** Another's, or not what was asked. */
  foreign: string[]
}

/** So many callers at once, which ask for one or for many one after the other until all calls are made. */
async function crowd(
  callers: number,
  total: number,
  most: number,
  ask: (caller: number, count: number) => Promise<void>,
): Promise<void> {
  let [left, turn] = [total, 0]
  const one = async (caller: number): Promise<void> => {
    while (left > 0) {
      const count = turn++ % 3 === 0 ? 1 : Math.min(left, most)
      left -= count
      await ask(caller, count)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => one(caller)))
}

interface RpcAnswer {
  readonly id: unknown
  readonly result?: { readonly params: readonly unknown[] }
}

function note(
  { id, result }: RpcAnswer,
  asked: { id: string; params: readonly string[] },
  found: Found,
): void {
  if (id !== asked.id) found.foreign.push(`${asked.id}: the answer to ${String(id)}`)
  if (result === undefined) return
  found.answered += 1
  if (!Bun.deepEquals(result.params, asked.params))
    found.foreign.push(`${asked.id}: ${JSON.stringify(result)}`)
}

async function relayCalls(urls: readonly string[], callers: number, total: number): Promise<Found> {
  const relay = startTestRelay({
    upstreams: urls.map((url) => ({ url })),
    ca,
    settings: { hedgeAfterMs: 20, firstByteMs: 150, idleMs: 150, connectMs: 500, totalMs: 1_000 },
  })
  const found: Found = { answered: 0, foreign: [] }
  let asked = 0
  await crowd(callers, total, batchCalls, async (caller, count) => {
    const sent = Array.from({ length: count }, () => {
      const id = `${caller}-${++asked}`
      return { jsonrpc: '2.0', id, method: 'eth_call', params: [id, 'x'.repeat(asked % 50)] }
    })
    const response = await fetch(relay.url, {
      method: 'POST',
      body: JSON.stringify(count > 1 ? sent : sent[0]),
    })
    const answers: RpcAnswer | RpcAnswer[] = JSON.parse(await response.text())
    for (const [place, answer] of [answers].flat().entries()) {
      const one = sent[place]
      if (one !== undefined) note(answer, one, found)
    }
  })
  await relay.stop()
  return found
}

interface ToolCrowd {
  readonly subject: ConnectionsUnderTest
  readonly url: string
  readonly era: string
}

async function toolCalls({ subject, url, era }: ToolCrowd, callers: number, total: number): Promise<Found> {
  const found: Found = { answered: 0, foreign: [] }
  const keyed = subject.registry.put({
    serviceId: `mcpservers:keyed-${era}`,
    url,
    authType: 'api_key',
    provider: 'acme',
    credentialKey: 'acme',
  })
  const open = subject.registry.put({ serviceId: `mcpservers:open-${era}`, url })
  let asked = 0
  await crowd(callers, total, 1, async (caller) => {
    const isKeyed = caller % 2 === 0
    const secret = `secret-of-${caller}`
    const message = `${caller}-${++asked}`
    const outcome = await subject.connections.callTool(
      { accountId: null, sessionId: `session-${era}-${caller}` },
      toService(isKeyed ? keyed : open),
      { name: 'echo', arguments: { message } },
      isKeyed ? inBag('acme', secret) : nothingOffered,
      link(),
    )
    if (outcome.outcome !== 'answered') return
    const { content } = outcome.result as { content: readonly { text: string }[] }
    found.answered += 1
    const expected = JSON.stringify([message, markOf(isKeyed ? `Bearer ${secret}` : '')])
    if (content[0]?.text !== expected) found.foreign.push(`${expected}: ${content[0]?.text}`)
  })
  return found
}

describe.each([
  ['HTTP', (): null => null],
  ['TLS', certificateFiles],
] as const)('behind an upstream that confuses its answers, over %s', (scheme, filesOf) => {
  let upstreams: readonly ChaosUpstream[] = []
  let database: TestDatabase

  beforeAll(async () => {
    if (scheme === 'TLS' && !hasOpenssl) throw new Error('install openssl')
    const files = filesOf()
    upstreams = await Promise.all([startChaosUpstream(seed, files), startChaosUpstream(seed + 1, files)])
    opened.push(...upstreams.map(({ stop }) => stop))
    database = await testDatabase()
    opened.push(database.drop)
  })

  const relayTotal = Math.ceil((calls * (1 - toolShare.modern - toolShare.legacy)) / 2 / crowds.length)
  test.each(crowds)(
    '%d callers of the relay get their own answers',
    async (callers) => {
      const found = await relayCalls(
        upstreams.map(({ nodeUrl }) => nodeUrl),
        callers,
        relayTotal,
      )
      expect(found.foreign.slice(0, 5)).toEqual([])
      expect(found.answered / relayTotal).toBeGreaterThan(0.1)
    },
    1_800_000,
  )

  test.each(crowds.flatMap((callers) => [[callers, 'modern'] as const, [callers, 'legacy'] as const]))(
    '%d callers of a tool server (%s) get their own answers',
    async (callers, era) => {
      const toolTotal = Math.ceil((calls * toolShare[era]) / 2 / crowds.length)
      const limits = { callMs: 300, connectMs: 1_000 }
      const subject = connectionsUnderTest({ database: database.database, ca, limits })
      const url = upstreams[0]?.toolsUrl(era) ?? ''
      const found = await toolCalls({ subject, url, era }, callers, toolTotal)
      subject.stop()
      expect(found.foreign.slice(0, 5)).toEqual([])
      expect(found.answered).toBeGreaterThan(0) // some calls fail, and after some of those none is let through for a while
    },
    1_800_000,
  )
})
