import { afterEach, beforeEach, expect, jest, test } from 'bun:test'

import { subscribeWithReconnect } from './reconnecting-subscription.ts'
import type { SubscriptionEvents } from './reconnecting-subscription.ts'

interface Connection extends SubscriptionEvents<string> {
  isOpen: boolean
}

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

function start() {
  const connections: Connection[] = []
  const heard: string[] = []
  const kept = subscribeWithReconnect<string>(
    (events) => {
      const connection = { ...events, isOpen: true }
      connections.push(connection)
      return { unsubscribe: () => void (connection.isOpen = false) }
    },
    {
      onEvent: (event) => heard.push(event),
      onState: (state) => heard.push(`(${state})`),
      isCrowded: (error) => error === 'too many',
    },
  )
  const newest = (): Connection => {
    const connection = connections.at(-1)
    if (connection === undefined) throw new RangeError('nothing was opened')
    return connection
  }
  return { kept, heard, connections, newest }
}

test('passes on events and how the connection is', () => {
  const { heard, newest } = start()
  newest().onConnectionStateChange({ state: 'connecting', error: null })
  newest().onConnectionStateChange({ state: 'pending', error: null })
  newest().onData('a')
  newest().onConnectionStateChange({ state: 'connecting', error: new Error('away') })
  expect(heard).toEqual(['(connecting)', '(live)', 'a', '(lost)'])
})

test('opens again what ended, later each time, and at once after a success', () => {
  const { heard, connections, newest } = start()
  newest().onError(new Error('502'))
  expect([heard.at(-1), connections[0]?.isOpen]).toEqual(['(lost)', false])
  jest.advanceTimersByTime(999)
  expect(connections).toHaveLength(1)
  jest.advanceTimersByTime(1)
  expect(connections).toHaveLength(2)
  newest().onComplete()
  jest.advanceTimersByTime(1_999)
  expect(connections).toHaveLength(2)
  jest.advanceTimersByTime(1)
  newest().onConnectionStateChange({ state: 'pending', error: null })
  newest().onError(new Error('502'))
  jest.advanceTimersByTime(1_000)
  expect(connections).toHaveLength(4)
})

test('one that was one too many is told as such, and asks seldom', () => {
  const { heard, connections, newest } = start()
  newest().onConnectionStateChange({ state: 'pending', error: null })
  newest().onError('too many')
  expect([heard.at(-1), connections[0]?.isOpen]).toEqual(['(crowded)', false])
  jest.advanceTimersByTime(29_999)
  expect(connections).toHaveLength(1)
  jest.advanceTimersByTime(1)
  expect(connections).toHaveLength(2)
  newest().onConnectionStateChange({ state: 'pending', error: null })
  expect(heard.at(-1)).toBe('(live)')
})

test('is silent and closed while it is paused, and begins anew', () => {
  const { kept, heard, connections, newest } = start()
  kept.pause()
  newest().onData('late')
  newest().onError(new Error('late'))
  jest.advanceTimersByTime(60_000)
  expect([heard, connections.length, connections[0]?.isOpen]).toEqual([['(paused)'], 1, false])
  kept.resume()
  newest().onData('b')
  expect(heard).toEqual(['(paused)', '(connecting)', 'b'])
})

test('a stopped one never comes again', () => {
  const { kept, connections, newest } = start()
  newest().onError(new Error('502'))
  kept.stop()
  jest.advanceTimersByTime(60_000)
  expect(connections).toHaveLength(1)
})
