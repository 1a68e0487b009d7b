import { expect, test } from 'bun:test'

import { answerUntil } from './endless-answer.ts'

/** Knows who still listens. */
function watchedSignal() {
  const controller = new AbortController()
  const { signal } = controller
  const listening = new Set<unknown>()
  const { addEventListener, removeEventListener } = signal
  Object.assign(signal, {
    addEventListener: (...given: Parameters<typeof addEventListener>) => {
      listening.add(given[1])
      addEventListener.apply(signal, given)
    },
    removeEventListener: (...given: Parameters<typeof removeEventListener>) => {
      listening.delete(given[1])
      removeEventListener.apply(signal, given)
    },
  })
  return { signal, abort: () => controller.abort(), listeners: () => listening.size }
}

/** Ticks until it is told to end. */
const ticking = (signal: AbortSignal) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('tick'))
        if (signal.aborted) controller.close()
        else signal.addEventListener('abort', () => controller.close())
      },
    }),
    { status: 201, headers: { 'x-kept': 'yes' } },
  )

test('ends with any of the signals, and then listens to none', async () => {
  const [one, other] = [watchedSignal(), watchedSignal()]
  const response = await answerUntil([one.signal, other.signal], async (signal) => ticking(signal))
  expect([response.status, response.headers.get('x-kept')]).toEqual([201, 'yes'])
  expect([one.listeners(), other.listeners()]).toEqual([1, 1])
  other.abort()
  expect(await response.text()).toBe('tick')
  expect([one.listeners(), other.listeners()]).toEqual([0, 0])
})

test('listens to none when its reader leaves, or when there is no answer', async () => {
  const { signal, listeners } = watchedSignal()
  const response = await answerUntil([signal], async (end) => ticking(end))
  await response.body?.cancel()
  expect(listeners()).toBe(0)
  await answerUntil([signal], async () => new Response(null, { status: 204 }))
  expect(listeners()).toBe(0)
  const failed = answerUntil([signal], async () => {
    throw new RangeError('no answer')
  })
  await expect(failed).rejects.toThrow('no answer')
  expect(listeners()).toBe(0)
})

test('has ended already when a signal has', async () => {
  const response = await answerUntil([AbortSignal.abort()], async (signal) => ticking(signal))
  expect(await response.text()).toBe('tick')
})

test('tells when it is over: by a signal, by its end, by its reader, or when there was no answer', async () => {
  let over = 0
  const countOver = (): void => void over++
  const controller = new AbortController()
  await answerUntil([controller.signal], async (signal) => ticking(signal), countOver)
  expect(over).toBe(0)
  controller.abort() // nobody reads it
  expect(over).toBeGreaterThan(0)

  over = 0
  const ended = await answerUntil([], async () => new Response('all'), countOver)
  expect(over).toBe(0)
  await ended.text()
  expect(over).toBeGreaterThan(0)

  over = 0
  const left = await answerUntil([], async (signal) => ticking(signal), countOver)
  await left.body?.cancel()
  expect(over).toBeGreaterThan(0)

  over = 0
  const failed = answerUntil([], () => Promise.reject(new RangeError('no answer')), countOver)
  await expect(failed).rejects.toThrow('no answer')
  expect(over).toBeGreaterThan(0)
})
