import { expect, test } from 'bun:test'

import { createCutoffs } from './cutoff.ts'
import { untilAborted } from '../deadline.ts'
import { EgressError } from './failure.ts'
import { minuteMs } from '../../../shared/durations.ts'

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

test('the deadline of a released exchange never strikes, that of an open one does', async () => {
  const cutoffs = createCutoffs()
  const released = cutoffs.open(5, null)
  const open = cutoffs.open(15, null)
  released.release()
  await aborted(open.signal)
  expect(open.signal.reason).toMatchObject({ code: 'TIMEOUT' })
  expect(released.signal.aborted).toBe(false)
  open.release()
})

test('a released exchange no longer hears its caller, nor that the egress closes', () => {
  const cutoffs = createCutoffs()
  const controller = new AbortController()
  const cutoff = cutoffs.open(minuteMs, controller.signal)
  cutoff.release()
  controller.abort()
  cutoffs.close()
  expect(cutoff.signal.aborted).toBe(false)
})

test('whoever comes first gives the reason', () => {
  const cutoff = createCutoffs().open(minuteMs, null)
  expect(cutoff.fail(new EgressError('TOO_LARGE')).code).toBe('TOO_LARGE')
  expect(cutoff.fail(new Error('what the runtime says about an aborted read')).code).toBe('TOO_LARGE')
  expect(cutoff.signal.reason).toMatchObject({ code: 'TOO_LARGE' })
  cutoff.release()
})

test('an exchange that begins after its caller gave up, or after the end, is over at once', () => {
  const cutoffs = createCutoffs()
  const late = cutoffs.open(minuteMs, AbortSignal.abort())
  expect(late.signal.reason).toMatchObject({ code: 'ABORTED' })
  late.release()
  cutoffs.close()
  const later = cutoffs.open(minuteMs, null)
  expect(later.signal.reason).toMatchObject({ code: 'ABORTED' })
  later.release()
})

test('waiting ends with the work or with the exchange, whichever comes first', async () => {
  const cutoff = createCutoffs().open(minuteMs, null)
  expect(await untilAborted(Promise.resolve('done'), cutoff.signal)).toBe('done')
  const waiting = untilAborted(Promise.withResolvers<never>().promise, cutoff.signal)
  cutoff.fail(new EgressError('TIMEOUT'))
  await expect(waiting).rejects.toThrow('TIMEOUT')
  await expect(untilAborted(Promise.resolve('too late'), cutoff.signal)).rejects.toThrow('TIMEOUT')
})
