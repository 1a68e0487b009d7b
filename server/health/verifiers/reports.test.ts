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
const ingest = { accept: nothing, forgetVerifier: nothing }

/** One verifier, and a clock that stands between two milliseconds, as the real one does. */
function world() {
  const clock = createVirtualClock(someInstant + 0.0696)
  const identity = createTestIdentity()
  const activeVerifiers = createActiveVerifiers()
  const { verifier } = activeVerifiers.put(verifierOf('v', {}, identity))
  const batch = batchOf('v', { services: ['node'], rounds: [reportRoundOf([reportRowOf(0)])] })
  return { clock, identity, activeVerifiers, verifier, batch }
}

test('a verifier was seen last at a whole millisecond, where reports are taken', () => {
  const { clock, identity, activeVerifiers, verifier, batch } = world()
  const reports = createReports({
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
  const { body, header } = signedBatch(batch, identity)
  reports.receive('v', header, body)
  expect(verifier.lastSeenAt).toBe(someInstant)
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
