import { afterAll, beforeAll, expect, test } from 'bun:test'

import { openAlertsUnderTest } from '../../scripts/world/alerts-under-test.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts'
import type { Decision } from '../../shared/health.ts'
import { type Receivers, startReceivers } from '../../tests/support/receivers.ts'

let world: TestDatabase
let receivers: Receivers

beforeAll(async () => {
  world = await testDatabase()
  receivers = await startReceivers()
})
afterAll(async () => {
  await receivers?.stop()
  await world?.drop()
})

interface Posted {
  readonly labels: Readonly<Record<string, string>>
  readonly endsAt: string
}

test('Alertmanager has an alert for as long as it lasts, with the severity of today, and then none', async () => {
  const decisions = new Map<string, Decision>([['node', 'UP']])
  let now = Date.now()
  const under = openAlertsUnderTest({
    database: world.database,
    channels: [{ name: 'manager', type: 'alertmanager', url: receivers.url }],
    rules: [{ name: 'changes', when: { change: true }, channels: ['manager'] }],
    decisions,
    now: () => now,
  })
  /** What it takes for firing at this time: it tells alerts apart by their labels. */
  function firing(): string[] {
    const posted = receivers.bodies<Posted[]>('/api/v2/alerts').flat()
    const known = new Map(posted.map((alert) => [JSON.stringify(alert.labels), alert]))
    return [...known.values()]
      .filter(({ endsAt }) => Date.parse(endsAt) > now)
      .map(({ labels }) => labels['severity'] ?? '')
  }
  const isFiring = (...severities: string[]) =>
    waitUntil(`firing is ${severities}`, () => Bun.deepEquals(firing(), severities), 20_000)
  async function become(decision: Decision): Promise<void> {
    const before = decisions.get('node') ?? 'UP'
    decisions.set('node', decision)
    await under.change(['node'], before, decision)
    now += minuteMs
  }
  under.alerts.start()
  try {
    await become('LATENCY')
    await isFiring('warning')
    for (let passedMs = 0; passedMs < 5 * dayMs; passedMs += 25 * hourMs) {
      const { length } = receivers.messages
      now += 25 * hourMs
      expect(firing()).toEqual(['warning'])
      await waitUntil('it is told again', () => receivers.messages.length > length, 20_000)
    }
    await become('DOWN')
    await isFiring('critical')
    await become('UP')
    await isFiring()
  } finally {
    await under.stop()
  }
}, 90_000)
