import { afterAll, beforeEach, expect, test } from 'bun:test'

import type { ReportBatch } from '../../../shared/verifier-protocol.ts'
import { systemClock } from '../../platform/clock.ts'
import { createEgress } from '../../platform/egress.ts'
import { writeBatch } from '../delivery/batch.ts'
import { createHttpServerClient } from './http-client.ts'
import { createVerifierIdentity, signReport } from '../identity/identity.ts'
import { assignments, observation, round, target } from '../test-support/fixtures.ts'
import { startReportServer } from '../test-support/report-server.ts'

const egress = createEgress({ clock: systemClock, schemes: ['http'], allowPrivate: ['127.0.0.0/8'] })
const server = startReportServer('token', assignments([target('a')]))
const identity = createVerifierIdentity()
server.admit('ver_1', identity.publicKey)
const clientOf = (serverUrl: string, verifierId = 'ver_1') =>
  createHttpServerClient({ serverUrl, verifierId, identity, egress, clock: systemClock })
const serverClient = clientOf(server.url)
const { signal } = new AbortController()

beforeEach(() => {
  server.batches.length = 0
  server.encodings.length = 0
})
afterAll(async () => {
  egress.close()
  await server.stop()
})

function signedBatch(observations: number): { batch: ReportBatch; body: Uint8Array; signature: string } {
  const ids = Array.from({ length: observations }, (_, index) => `service-${index}`)
  const envelope = {
    verifierId: 'ver_1',
    seq: 5,
    sentAtMs: 1_800_000_000_000,
    isolated: false,
    backfill: false,
  }
  const batch = writeBatch(envelope, [round(ids.map((id) => observation(id)))], 1_000)
  const body = new TextEncoder().encode(JSON.stringify(batch))
  return { batch, body, signature: signReport(identity, body) }
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code, message: `because of ${code}` } }, { status, headers })

async function reportAnsweredWith(response: Response) {
  server.answerOnceWith(response)
  const { body, signature } = signedBatch(1)
  return serverClient.report(body, signature)
}

test('a signed report is taken as it is; a large one travels compressed', async () => {
  const small = signedBatch(1)
  expect(await serverClient.report(small.body, small.signature)).toMatchObject({
    kind: 'accepted',
    ack: { ackSeq: 5 },
  })
  const large = signedBatch(500)
  expect(await serverClient.report(large.body, large.signature)).toMatchObject({ kind: 'accepted' })
  expect(server.encodings).toEqual([null, 'gzip'])
  expect(server.batches).toEqual([small.batch, large.batch])
})

test('a report under a wrong signature is not', async () => {
  const { body } = signedBatch(1)
  const signature = signReport(createVerifierIdentity(), body)
  expect(await serverClient.report(body, signature)).toEqual({ kind: 'revoked' })
})

test('refusals become outcomes', async () => {
  expect(await reportAnsweredWith(refusal(409, 'sequence_replayed', { 'verifier-last-seq': '77' }))).toEqual({
    kind: 'replayed',
    lastSeq: 77,
  })
  expect(await reportAnsweredWith(refusal(409, 'sequence_ahead', { 'verifier-last-seq': '77' }))).toEqual({
    kind: 'replayed',
    lastSeq: 77,
  })
  expect(await reportAnsweredWith(refusal(400, 'clock_skew', { 'server-time-ms': '1800000000000' }))).toEqual(
    { kind: 'clock_skew', serverTimeMs: 1_800_000_000_000 },
  )
  expect(await reportAnsweredWith(refusal(401, 'verifier_revoked'))).toEqual({ kind: 'revoked' })
  expect(await reportAnsweredWith(refusal(401, 'unauthorized'))).toEqual({
    kind: 'rejected',
    message: 'because of unauthorized',
  })
  expect(await reportAnsweredWith(refusal(413, 'payload_too_large'))).toMatchObject({ kind: 'rejected' })
  expect(await reportAnsweredWith(new Response('nginx', { status: 404 }))).toEqual({
    kind: 'refused',
    status: 404,
    message: 'the server answered with status 404',
  })
  expect(await reportAnsweredWith(new Response('nginx', { status: 413 }))).toMatchObject({ kind: 'rejected' })
})

test('refusals that lack what they should carry do not mislead', async () => {
  for (const lastSeq of ['', '-1', '1e9', '99999999999999999']) {
    const headers = { 'verifier-last-seq': lastSeq }
    expect(await reportAnsweredWith(refusal(409, 'sequence_replayed', headers))).toMatchObject({
      kind: 'rejected',
    })
  }
  expect(await reportAnsweredWith(refusal(400, 'clock_skew'))).toMatchObject({ kind: 'rejected' })
  expect(await reportAnsweredWith(Response.json({ ackSeq: 'five' }))).toEqual({ kind: 'unreachable' })
})

test.each([
  [429, '7', 7_000],
  [503, '0', 0],
  [503, null, 5_000],
  [429, 'Wed, 21 Oct 2026 07:28:00 GMT', 5_000],
  [429, '86400', 300_000],
])('status %d with Retry-After %p waits %d ms', async (status, retryAfter, retryAfterMs) => {
  const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': retryAfter }
  expect(await reportAnsweredWith(refusal(status, 'rate_limited', headers))).toEqual({
    kind: 'busy',
    retryAfterMs,
  })
})

test('assignments come once per change', async () => {
  const first = await serverClient.assignments(null, signal)
  expect(first).toEqual({ kind: 'changed', assignments: server.assignments })
  expect(await serverClient.assignments('etag-1', signal)).toEqual({ kind: 'unchanged' })
  server.assignments = assignments([target('a'), target('b')], { etag: 'etag-2' })
  expect(await serverClient.assignments('etag-1', signal)).toMatchObject({ assignments: { etag: 'etag-2' } })
})

test('a skewed clock is corrected within one question for assignments', async () => {
  server.answerOnceWith(refusal(400, 'clock_skew', { 'server-time-ms': '1900000000000' }))
  server.askedAt.length = 0
  expect(await clientOf(server.url).assignments(null, signal)).toMatchObject({ kind: 'changed' })
  const [wrong = 0, corrected = 0] = server.askedAt
  expect(Math.abs(wrong - Date.now())).toBeLessThan(10_000)
  expect(Math.abs(corrected - 1_900_000_000_000)).toBeLessThan(10_000)
})

test('a verifier that the server does not know is told so; other refusals and nonsense are no answer', async () => {
  expect(await clientOf(server.url, 'ver_x').assignments(null, signal)).toEqual({ kind: 'revoked' })
  server.answerOnceWith(refusal(403, 'forbidden'))
  expect(await serverClient.assignments(null, signal)).toMatchObject({ kind: 'refused', status: 403 })
  server.answerOnceWith(refusal(503, 'unavailable'))
  expect(await serverClient.assignments(null, signal)).toEqual({ kind: 'unreachable' })
  server.answerOnceWith(Response.json({ targets: 'many' }))
  expect(await serverClient.assignments(null, signal)).toEqual({ kind: 'unreachable' })
})

test('nobody there is an outcome as well', async () => {
  const nobody = clientOf('http://127.0.0.1:1')
  const { body, signature } = signedBatch(1)
  expect(await nobody.report(body, signature)).toEqual({ kind: 'unreachable' })
  expect(await nobody.assignments(null, signal)).toEqual({ kind: 'unreachable' })
  expect(await nobody.ping()).toBe(false)
  expect(await serverClient.ping()).toBe(true)
})

test('a question for assignments ends with its signal', async () => {
  const silent = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Promise<Response>(() => {}) })
  const controller = new AbortController()
  const asked = clientOf(`http://127.0.0.1:${silent.port}`).assignments(null, controller.signal)
  controller.abort()
  expect(await asked).toEqual({ kind: 'unreachable' })
  await silent.stop(true)
})

test('a server below a path is asked there', async () => {
  server.paths.length = 0
  await clientOf(`${server.url}/below/`).ping()
  expect(server.paths).toEqual(['/below/healthz'])
})
