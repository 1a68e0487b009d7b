import { expect, test } from 'bun:test'

import { hourMs, minuteMs } from '../../shared/durations.ts'
import type { Decision } from '../../shared/health.ts'
import { type SeenService, createWatchServices } from './watch-services.ts'

const now = 1_700_000_000_000
const serviceOf = (id: string, decision: Decision = 'UP'): SeenService => ({
  id,
  name: id,
  chain: null,
  provider: 'acme',
  decision,
  since: now,
  reason: '',
  pending: null,
  certificateEndsAt: null,
  maintenance: null,
})

test('a process that takes over counts the changes that another one stored, each once', async () => {
  const ids = ['node-a', 'node-b']
  const storedChanges = new Map([['node-a', [now - 20 * minuteMs, now - 10 * minuteMs]]])
  const asked: number[] = []
  const watched = createWatchServices({
    ids: () => ids,
    find: (id) => (ids.includes(id) ? serviceOf(id) : null),
    changesSince(since) {
      asked.push(since)
      return Promise.resolve(storedChanges)
    },
  })
  const changesOf = (id: string) => watched.all().get(id)?.changes

  await watched.load(now - hourMs)
  expect(asked).toEqual([now - hourMs])
  expect([changesOf('node-a'), changesOf('node-b')]).toEqual([storedChanges.get('node-a'), []])

  // The last of those stored was not looked at before the other process ended; then comes one that is new.
  const change = { serviceId: 'node-a', from: 'UP', to: 'DOWN', reason: '' } as const
  await watched.take([{ ...change, at: now - 10 * minuteMs }])
  await watched.take([{ ...change, at: now, from: 'DOWN', to: 'UP' }])
  await watched.refresh()
  expect(changesOf('node-a')).toEqual([now - 20 * minuteMs, now - 10 * minuteMs, now])

  // Each time it takes over it begins anew, for another one decided meanwhile.
  await watched.load(now)
  expect(changesOf('node-a')).toEqual(storedChanges.get('node-a'))
})
