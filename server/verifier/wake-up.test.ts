import { expect, test } from 'bun:test'

import { createWakeUp, pause } from './wake-up.ts'
import { untilAborted } from '../platform/deadline.ts'

const never = new Promise<never>(() => {})

/** A signal that counts who still listens to it. */
function countedSignal() {
  const controller = new AbortController()
  const { signal } = controller
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (type: string, listener: EventListenerOrEventListenerObject) => {
    listeners += 1
    add(type, listener)
  }
  signal.removeEventListener = (type: string, listener: EventListenerOrEventListenerObject) => {
    listeners -= 1
    remove(type, listener)
  }
  return { signal, abort: () => controller.abort(), listeners: () => listeners }
}

test('a ring ends the wait; a ring before the wait is not lost', async () => {
  const bell = createWakeUp()
  const { signal } = new AbortController()
  const waiting = bell.wait(null, signal)
  bell.notify()
  await waiting
  bell.notify()
  bell.notify()
  await bell.wait(null, signal)
  const third = bell.wait(null, signal)
  expect(await Promise.race([third, Promise.resolve('still asleep')])).toBe('still asleep')
  bell.notify()
  await third
})

test('time and abort end the wait, and nothing listens afterwards', async () => {
  const { signal, abort, listeners } = countedSignal()
  await pause(1, signal)
  expect(listeners()).toBe(0)
  const waiting = pause(60_000, signal)
  expect(listeners()).toBe(1)
  abort()
  await waiting
  await pause(60_000, signal)
  expect(listeners()).toBe(0)
})

test('work is given up when the signal aborts, and left alone otherwise', async () => {
  const { signal, abort, listeners } = countedSignal()
  expect(await untilAborted(Promise.resolve(5), signal)).toBe(5)
  const ownFailure = untilAborted(Promise.reject(new Error('own failure')), signal)
  await expect(ownFailure).rejects.toThrow('own failure')
  const given = untilAborted(never, signal)
  abort()
  await expect(given).rejects.toBe(signal.reason)
  await expect(untilAborted(never, signal)).rejects.toBe(signal.reason)
  expect(listeners()).toBe(0)
})
