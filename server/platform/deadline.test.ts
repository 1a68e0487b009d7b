import { describe, expect, test } from 'bun:test'

import { untilAborted, withDeadlineSignal, withinDeadline } from './deadline.ts'

const never = new Promise<never>(() => undefined)
const timedOut = () => new RangeError('too late')
const work = (signal: AbortSignal) => untilAborted(never, signal)

describe('untilAborted', () => {
  test('settles as its work does', async () => {
    const { signal } = new AbortController()
    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1)
    expect(untilAborted(Promise.reject(new TypeError('failed')), signal)).rejects.toThrow('failed')
  })

  test('rejects with the reason, also of a signal that has aborted before, and observes work that fails later', async () => {
    const late = Promise.withResolvers<never>()
    const controller = new AbortController()
    const waiting = untilAborted(late.promise, controller.signal)
    controller.abort(new TypeError('gone'))
    expect(waiting).rejects.toThrow('gone')
    expect(untilAborted(late.promise, controller.signal)).rejects.toThrow('gone')
    expect(untilAborted(Promise.resolve(1), controller.signal)).rejects.toThrow('gone')
    late.reject(new Error('nobody sees this'))
  })
})

test('withinDeadline rejects with the given error when its work takes longer', async () => {
  expect(await withinDeadline(Promise.resolve(1), 1_000, timedOut)).toBe(1)
  expect(withinDeadline(never, 1, timedOut)).rejects.toThrow('too late')
})

test('withDeadlineSignal aborts its work at the deadline, and with its caller', async () => {
  expect(withDeadlineSignal(new AbortController().signal, 1, timedOut, work)).rejects.toThrow('too late')
  expect(withDeadlineSignal(AbortSignal.abort(new TypeError('gone')), 1_000, timedOut, work)).rejects.toThrow(
    'gone',
  )
})
