import { beforeEach, describe, expect, test } from 'bun:test'

import { createAddressLimit } from '../../platform/http/address-limit.ts'
import { fault } from '../../platform/fault.ts'
import { type RefusedSenders, createRefusedSenders } from './refused-senders.ts'

const stranger = { address: '192.0.2.1', isActiveVerifier: false }
const verifier = { ...stranger, isActiveVerifier: true }
const refuse = () => {
  throw fault('unauthorized', 'no')
}
const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

let now: number
let warnings: unknown[]
let senders: RefusedSenders
beforeEach(() => {
  now = 0
  warnings = []
  const monotonic = () => now
  senders = createRefusedSenders({
    limit: createAddressLimit(3, monotonic),
    clock: { monotonic },
    log: { warn: (_, fields) => void warnings.push(fields) },
  })
})
async function flood(sender = stranger): Promise<void> {
  for (let times = 0; times < 3; times++)
    expect(await codeOf(senders.hold(sender, refuse))).toBe('unauthorized')
}

describe('a stranger', () => {
  test('is let through as often as it succeeds, and no more after its refusals', async () => {
    for (let times = 0; times < 20; times++) expect(await senders.hold(stranger, () => 7)).toBe(7)
    await flood()
    expect(await codeOf(senders.hold(stranger, () => 7))).toBe('rate_limited')
    expect(await codeOf(senders.hold({ ...stranger, address: '192.0.2.2' }, () => 7))).toBe('done')
  })

  test('is not held responsible for other refusals and our own mistakes', async () => {
    for (const mistake of [fault('invalid_request', 'no'), new Error('ours')]) {
      for (let times = 0; times < 3; times++)
        await codeOf(senders.hold(stranger, () => Promise.reject(mistake)))
    }
    expect(await codeOf(senders.hold(stranger, () => 7))).toBe('done')
  })
})

describe('an active verifier', () => {
  test('is never refused for its address', async () => {
    await flood()
    for (let times = 0; times < 20; times++) expect(await senders.hold(verifier, () => 7)).toBe(7)
  })

  test('counts against its address when its signature is wrong', async () => {
    await flood(verifier)
    expect(await codeOf(senders.hold(verifier, refuse))).toBe('unauthorized')
    expect(await codeOf(senders.hold(stranger, () => 7))).toBe('rate_limited')
  })
})

test('one warning a minute names the address and how much was refused', async () => {
  await flood()
  expect(warnings).toEqual([])
  for (let times = 0; times < 100; times++) await codeOf(senders.hold(stranger, () => 7))
  expect(warnings).toEqual([{ address: '192.0.2.1', refused: 1 }])
  now += 121_000
  await flood()
  await codeOf(senders.hold(stranger, () => 7))
  expect(warnings).toEqual([
    { address: '192.0.2.1', refused: 1 },
    { address: '192.0.2.1', refused: 100 },
  ])
})
