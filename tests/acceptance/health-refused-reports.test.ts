import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'

import { ErrorResponse } from '../../shared/faults.ts'
import { ReportAck, protocolLimits } from '../../shared/verifier-protocol.ts'
import type { ObservationRow, ReportBatch } from '../../shared/verifier-protocol.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { healthClient } from '../support/health-client.ts'
import type { HealthClient } from '../support/health-client.ts'
import { enrolWireVerifier, roundOf } from '../../scripts/world/wire-verifier.ts'
import type { PostChanges, WireVerifier } from '../../scripts/world/wire-verifier.ts'
import { covers } from '../support/covers.ts'

/** Reports that must be refused: what is answered, what is counted, and that nothing of them is kept. */

let installation: TestInstallation
let server: GatehouseProcess
let health: HealthClient
let verifier: WireVerifier
let revoked: WireVerifier

const nowSec = () => Math.floor(Date.now() / 1000)
/** `changes` are by column, to values that need not be of the protocol. */
const row = (changes: Record<number, unknown> = {}): ObservationRow => {
  const columns: unknown[] = [0, 1, null, 100, nowSec(), '0123456789abcdef', 5, 0]
  return Object.assign(columns, changes) as ObservationRow
}

/** A batch that says that the service is well. */
const good = (changes: Partial<ReportBatch> = {}): Partial<ReportBatch> => ({
  services: ['node'],
  rounds: [roundOf('testnet', [row()])],
  ...changes,
})
const withRow = (changes: Record<number, unknown>) => good({ rounds: [roundOf('testnet', [row(changes)])] })
/** With fields that the protocol does not have. */
const odd = (batch: object): Partial<ReportBatch> => ({ ...good(), ...batch })

async function enrol(name: string): Promise<WireVerifier> {
  const { token } = await server.operator.verifiers.createToken.mutate({ label: name })
  return enrolWireVerifier(server.url, token, name)
}

beforeAll(async () => {
  installation = await createTestInstallation({
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
    services: [
      { id: 'node', name: 'Node', chain: 'testnet', provider: 'acme', endpoint: 'http://127.0.0.1:9/' },
      {
        id: 'future',
        name: 'Node',
        chain: 'testnet',
        provider: 'acme',
        endpoint: 'http://127.0.0.1:9/',
        policy: { downForMs: 0 },
      },
    ],
    verifiers: { builtIn: false },
  })
  server = await installation.start()
  health = healthClient(server.url)
  verifier = await enrol('wire')
  revoked = await enrol('revoked')
  await server.operator.verifiers.revoke.mutate({ id: revoked.id })
}, 60_000)
afterAll(() => installation?.remove())

const counter = (result: string) => `health_reports_total{result="${result}"}`

async function refusalOf(response: Response) {
  const { error } = ErrorResponse.parse(await response.json())
  expect(response.headers.get('content-type')).toStartWith('application/json')
  expect(error.message).not.toBe('')
  return { status: response.status, code: error.code }
}

/** Nothing of it may have reached the service. */
async function expectNothingKept(): Promise<void> {
  expect(await health.read('node')).toMatchObject({ decision: 'UNKNOWN', liveVerifiers: 0 })
  expect(await health.details('node')).toMatchObject({ votes: [], reference: null, quorum: { assigned: 0 } })
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const hugeBody = JSON.stringify({ filler: 'x'.repeat(protocolLimits.batchBytes) })

type Sending = () => Promise<Response>
type Case = [title: string, send: Sending, status: number, code: string, counted: string | null]
const report =
  (batch: Partial<ReportBatch>, post?: PostChanges): Sending =>
  () =>
    verifier.report(batch, post)
const body =
  (text: () => string, post?: PostChanges): Sending =>
  () =>
    verifier.post(text(), post)

const unauthorized: Case[] = [
  ['no signature', report(good(), { headers: { 'verifier-signature': '' } }), 401, 'unauthorized', 'unauthorized'],
  ['a signature of another text', report(good(), { headers: { 'verifier-signature': `v1,${'A'.repeat(86)}==` } }), 401, 'unauthorized', 'unauthorized'],
  ['a body that was changed after signing', report(good(), { sent: bytesOf('{}') }), 401, 'unauthorized', 'unauthorized'],
  ["another verifier's key", () => revoked.report(good(), { headers: { 'verifier-id': verifier.id } }), 401, 'unauthorized', 'unauthorized'],
  ['an unknown verifier', report(good(), { headers: { 'verifier-id': 'ver_unknown' } }), 401, 'verifier_unknown', 'unauthorized'],
  ['no verifier', report(good(), { headers: { 'verifier-id': '' } }), 401, 'verifier_unknown', 'unauthorized'],
  ['a revoked verifier', () => revoked.report(good()), 401, 'verifier_revoked', 'unauthorized'],
] // prettier-ignore

const invalid: Case[] = [
  ['no JSON', body(() => '{"v":1,'), 400, 'bad_request', 'invalid'],
  ['JSON a million levels deep', body(() => '['.repeat(1_000_000)), 400, 'bad_request', 'invalid'],
  ['another version', report(odd({ v: 2 })), 422, 'invalid_request', 'invalid'],
  ['an unknown field', report(odd({ extra: 1 })), 422, 'invalid_request', 'invalid'],
  ["another verifier's id inside", report(good({ verifierId: 'ver_other' })), 422, 'invalid_request', 'invalid'],
  ['no sequence', report(odd({ seq: null })), 422, 'invalid_request', 'invalid'],
  ['a sequence of 2^53', report(good({ seq: 2 ** 53 })), 422, 'invalid_request', 'invalid'],
  ['a negative height', report(withRow({ 3: -1 })), 422, 'invalid_request', 'invalid'],
  ['a broken height', report(withRow({ 3: 100.5 })), 422, 'invalid_request', 'invalid'],
  ['a height of 2^53', report(withRow({ 3: 2 ** 53 })), 422, 'invalid_request', 'invalid'],
  ['a height as text', report(withRow({ 3: '100' })), 422, 'invalid_request', 'invalid'],
  ['a negative timestamp', report(withRow({ 4: -1 })), 422, 'invalid_request', 'invalid'],
  ['a long hash', report(withRow({ 5: '0'.repeat(64) })), 422, 'invalid_request', 'invalid'],
  ['an unknown error', report(withRow({ 2: 'GREMLINS' })), 422, 'invalid_request', 'invalid'],
  ['a negative age', report(good({ rounds: [roundOf('testnet', [row()], { ageMs: -1 })] })), 422, 'invalid_request', 'invalid'],
  ['an index past services', report(withRow({ 0: 1 })), 422, 'invalid_request', 'invalid'],
  ['an index past services in a checkpoint', report(good({ rounds: [roundOf('testnet', [row()], { checkpoint: { height: 1, hashes: [[1, '0123456789abcdef']] } })] })), 422, 'invalid_request', 'invalid'],
  ['2,001 observations', report(good({ rounds: [roundOf('testnet', Array.from({ length: 2_001 }, () => row()))] })), 422, 'invalid_request', 'invalid'],
  ['2,001 observations in two rounds', report(good({ rounds: [1_000, 1_001].map((length) => roundOf('testnet', Array.from({ length }, () => row()))) })), 422, 'invalid_request', 'invalid'],
  ['a sequence more than a day ahead', report(good({ seq: (Date.now() + 86_430_000) * 1_000 })), 409, 'sequence_ahead', 'ahead'],
  ['the highest sequence there is', report(good({ seq: 2 ** 53 - 1 })), 409, 'sequence_ahead', 'ahead'],
  ['a clock that is behind', report(good({ sentAtMs: Date.now() - protocolLimits.clockSkewMs - 5_000 })), 400, 'clock_skew', 'clock_skew'],
  ['a clock that is ahead', report(good({ sentAtMs: Date.now() + protocolLimits.clockSkewMs + 30_000 })), 400, 'clock_skew', 'clock_skew'],
] // prettier-ignore

const unread: Case[] = [
  ['more than 1 MiB', body(() => hugeBody), 413, 'payload_too_large', null],
  ['a gzip bomb', body(() => hugeBody, { sent: gzipSync(hugeBody), headers: { 'content-encoding': 'gzip' } }), 413, 'payload_too_large', null],
  ['no gzip', body(() => '{}', { headers: { 'content-encoding': 'gzip' } }), 400, 'bad_request', null],
  ['another encoding', body(() => '{}', { headers: { 'content-encoding': 'deflate' } }), 415, 'unsupported_media_type', null],
] // prettier-ignore

describe('refused, counted, and nothing kept', () => {
  covers('error-response-shape', 'own-endpoint-limits')
  test.each([...unauthorized, ...invalid])('%s', async (_, send, status, code, counted) => {
    const before = await server.metric(counter(counted ?? ''))
    expect(await refusalOf(await send())).toEqual({ status, code })
    expect(await server.metric(counter(counted ?? ''))).toBe(before + 1)
    await expectNothingKept()
  })

  test.each(unread)('%s', async (_, send, status, code) => {
    const line =
      'http_request_duration_seconds_count{route="/v1/verifiers/me/reports",method="POST",status_class="4xx"}'
    const before = await server.metric(line)
    expect(await refusalOf(await send())).toEqual({ status, code })
    expect(await server.metric(line)).toBe(before + 1)
    await expectNothingKept()
  })

  test('a skewed clock is told the time, so that the verifier can correct itself', async () => {
    const response = await verifier.report(good({ sentAtMs: 0 }))
    expect(await refusalOf(response)).toEqual({ status: 400, code: 'clock_skew' })
    expect(Math.abs(Number(response.headers.get('server-time-ms')) - Date.now())).toBeLessThan(5_000)
  })
})

describe('sequence numbers', () => {
  test('lower and replayed ones are refused and told the last; the same batch again is a duplicate', async () => {
    const before = await server.metric(counter('replayed'))
    const text = JSON.stringify(verifier.batch({ services: ['node'] }))
    const { seq } = JSON.parse(text) as { seq: number }
    expect(ReportAck.parse(await (await verifier.post(text)).json())).toMatchObject({
      ackSeq: seq,
      duplicate: false,
    })
    for (const other of [seq, seq - 1, 1]) {
      const response = await verifier.report(good({ seq: other }))
      expect(await refusalOf(response)).toEqual({ status: 409, code: 'sequence_replayed' })
      expect(response.headers.get('verifier-last-seq')).toBe(String(seq))
    }
    expect(ReportAck.parse(await (await verifier.post(text)).json())).toMatchObject({
      ackSeq: seq,
      duplicate: true,
    })
    expect(await server.metric(counter('replayed'))).toBe(before + 3)
    expect(await server.metric(counter('duplicate'))).toBe(1)
    expect(await health.read('node')).toMatchObject({ decision: 'UNKNOWN', liveVerifiers: 0 })
  })

  test('a batch that was taken before kill -9 is not taken again after it', async () => {
    const text = JSON.stringify(verifier.batch(good()))
    expect((await verifier.post(text)).status).toBe(200)
    await server.kill9()
    server = await installation.start()
    const again = await verifier.post(text)
    expect(await refusalOf(again)).toEqual({ status: 409, code: 'sequence_replayed' })
    expect(Number(again.headers.get('verifier-last-seq'))).toBeGreaterThanOrEqual(JSON.parse(text).seq)
  }, 40_000)
})

test('a block from the future is taken as what it is: worthless', async () => {
  const rounds = [roundOf('testnet', [row({ 3: 30_000_100, 4: nowSec() + 3_600 })])]
  expect((await verifier.report({ services: ['future'], rounds })).status).toBe(200)
  await health.until({ future: 'DOWN' })
  const { votes, reference } = await health.details('future')
  expect(votes).toMatchObject([{ vote: 'BAD', reason: 'FUTURE_HEAD', lagBlocks: 0 }])
  expect(reference?.height).not.toBe(30_000_100)
})

test('a flood without signatures refuses its address, and no verifier behind the same address', async () => {
  const unsigned = { headers: { 'verifier-id': 'ver_unknown', 'verifier-signature': '' } }
  const statuses = new Set<number>()
  for (let times = 0; times < 80; times++) statuses.add((await verifier.report(good(), unsigned)).status)
  expect([...statuses].toSorted()).toEqual([401, 429])
  expect((await verifier.report(good({ rounds: [roundOf('testnet', [row()])] }))).status).toBe(200)
  const forged = { headers: { 'verifier-signature': `v1,${'A'.repeat(86)}==` } }
  for (let times = 0; times < 80; times++) expect((await verifier.report(good(), forged)).status).toBe(401)
  expect((await verifier.report(good())).status).toBe(200)
  const warned = server
    .output()
    .split('\n')
    .filter((line) => line.includes('requests of verifiers are refused'))
  expect(warned).toHaveLength(1)
  expect(warned[0]).toContain('127.0.0.1')
})

test('for comparison: a good batch, gzipped, is taken', async () => {
  const text = JSON.stringify(verifier.batch(good({ rounds: [roundOf('testnet', [row({ 3: 200 })])] })))
  const response = await verifier.post(text, {
    sent: gzipSync(text),
    headers: { 'content-encoding': 'gzip' },
  })
  expect(response.status).toBe(200)
  await health.until({ node: 'UP' })
  expect(await health.read('node')).toMatchObject({ liveVerifiers: 1 })
})
