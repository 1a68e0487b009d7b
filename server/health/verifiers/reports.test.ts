import { expect, test } from 'bun:test'

import {
  batchOf,
  createTestIdentity,
  reportRoundOf,
  reportRowOf,
  signedBatch,
  verifierOf,
} from '../test-support/fixtures.ts'
import { createVirtualClock, someInstant } from '../test-support/virtual-clock.ts'
import { createActiveVerifiers } from './active-verifiers.ts'
import { createFollowing } from './following.ts'
import { createReports } from './reports.ts'

const nothing = () => undefined
const ingest = { accept: () => 3, forgetVerifier: nothing }

/** One verifier, and a clock that stands between two milliseconds, as the real one does. */
function world() {
  const clock = createVirtualClock(someInstant + 0.0696)
  const identity = createTestIdentity()
  const activeVerifiers = createActiveVerifiers()
  const { verifier } = activeVerifiers.put(verifierOf('v', {}, identity))
  const batch = batchOf('v', { services: ['node'], rounds: [reportRoundOf([reportRowOf(0)])] })
  return { clock, identity, activeVerifiers, verifier, batch }
}

const reportsOf = ({ clock, activeVerifiers }: Pick<ReturnType<typeof world>, 'clock' | 'activeVerifiers'>) =>
  createReports({
    fleet: {
      isDeciding: () => true,
      accepted: null,
      passOn: () => Promise.reject(new Error('there is no other process')),
    },
    activeVerifiers,
    clock,
    progress: { add: nothing },
    ingest,
    onFirstReport: nothing,
    assignmentsEtag: () => 'etag',
    count: nothing,
  })

const refusalOf = (attempt: () => unknown): { message: string } => {
  try {
    return { message: JSON.stringify(attempt()) }
  } catch (error) {
    return error instanceof Error ? error : { message: 'no error' }
  }
}

test('a verifier was seen last at a whole millisecond, where reports are taken', () => {
  const { identity, verifier, batch, ...parts } = world()
  const { body, header } = signedBatch(batch, identity)
  reportsOf(parts).receive('v', header, body)
  expect(verifier.lastSeenAt).toBe(someInstant)
})

test('the answer to a report says how many of its observations say nothing here; the answer to a duplicate cannot', () => {
  const { identity, batch, ...parts } = world()
  const reports = reportsOf(parts)
  const { body, header } = signedBatch(batch, identity)
  expect(reports.receive('v', header, body)).toMatchObject({ duplicate: false, ignored: 3 })
  const again = reports.receive('v', header, body)
  expect(again.duplicate).toBe(true)
  expect(again).not.toHaveProperty('ignored')
})

test('the ordinary mistakes of who writes a verifier are told with what is right', () => {
  const { identity, batch, ...parts } = world()
  const reports = reportsOf(parts)
  const { body, header } = signedBatch(batch, identity)
  const messageOf = (id: string | null, signature: string | null, sent: Uint8Array) =>
    refusalOf(() => reports.receive(id, signature, sent)).message
  expect(messageOf(null, header, body)).toBe(
    'verifier-id: no such verifier; send the verifierId that enrolment answered',
  )
  expect(messageOf('v', header.slice(3), body)).toBe(
    'verifier-signature: expected v1, and the 64 bytes of an Ed25519 signature in Base64',
  )
  expect(messageOf('v', header, Buffer.concat([body, Buffer.from('\n')]))).toBe(
    "verifier-signature: not the signature of this verifier's key over health-report-v1, a line feed, and the SHA-256 in lowercase hexadecimal of the body, byte for byte and before it is compressed",
  )
  const inSeconds = signedBatch({ ...batch, sentAtMs: Math.floor(batch.sentAtMs / 1000) }, identity)
  expect(messageOf('v', inSeconds.header, inSeconds.body)).toBe(
    "sentAtMs: more than 60 s off the server's clock, which server-time-ms has in epoch milliseconds",
  )
  const first = signedBatch({ ...batch, seq: 10 }, identity)
  reports.receive('v', first.header, first.body)
  expect(messageOf('v', header, body)).toBe(
    'seq: not above the last one that was taken, which verifier-last-seq has',
  )
})

test('a verifier was seen last at a whole millisecond, where another process decides', () => {
  const { clock, activeVerifiers, verifier, batch } = world()
  const following = createFollowing({ activeVerifiers, ingest, clock, members: { join: nothing } })
  following.observe({
    kind: 'report',
    verifierId: 'v',
    builtIn: null,
    bodyHash: 'hash',
    receivedAt: clock.now(),
    batch,
  })
  expect(verifier.lastSeenAt).toBe(someInstant)
})
