import { beforeEach, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { ChannelView } from '../../shared/alert-channels.ts'
import type { AlertRuleView } from '../../shared/alerts.ts'
import { mountPage } from '../test-support/mount-page.ts'
import AlertsPage from './AlertsPage.vue'

const rule: AlertRuleView = {
  name: 'Down',
  when: { decision: ['DOWN'], for: '1m' },
  channels: ['ops'],
  enabled: true,
  managedBy: 'operator',
  firing: 0,
  lastFiredAt: null,
}
const channel: ChannelView = {
  name: 'ops',
  type: 'slack',
  managedBy: 'operator',
  target: 'hooks.slack.com',
  quietHours: null,
  settings: {},
  sent: 0,
  waiting: 0,
  dead: 0,
  lastSentAt: null,
}
const none = () => []
let changed: unknown[]
let areChannelsReadable: boolean
beforeEach(() => {
  changed = []
  areChannelsReadable = false
})

const openAt = (address: string) =>
  mountPage(
    AlertsPage,
    {
      'alertRules.list': () => [rule],
      'alertRules.update': (change) => changed.push(change),
      'channels.list'() {
        if (areChannelsReadable) return [channel]
        throw new Error('The disk is full')
      },
      'alerts.firing': none,
      'silences.list': none,
      'maintenance.list': none,
      'services.list': none,
    },
    address,
  )
const dialog = () => document.querySelector('[role=dialog]')

test('a rule that is switched while channels cannot be read keeps its own', async () => {
  const { wrapper } = await openAt('/alerts?tab=rules')
  await wrapper.get('[role=switch]').trigger('click')
  await waitUntil('the rule is switched', () => changed.length > 0)
  expect(changed).toEqual([expect.objectContaining({ enabled: false, channels: ['ops'] })])
})

test('the form of a rule opens once channels were read, with those that there are', async () => {
  const { wrapper, askAgain } = await openAt('/alerts?tab=channels&create=rule')
  expect(wrapper.text()).toContain('The form opens once channels and rules could be read')
  expect(dialog()).toBeNull()

  areChannelsReadable = true
  await askAgain()
  await waitUntil('the form is open', () => dialog() !== null)
  expect(wrapper.text()).not.toContain('The form opens once')
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[role=dialog] [type=checkbox]')]
  const told = boxes.filter(({ checked }) => checked).map((box) => box.parentElement?.textContent?.trim())
  expect(told).toContain('ops')
})

test('a silence needs neither', async () => {
  await openAt('/alerts?create=silence')
  await waitUntil('the form is open', () => dialog() !== null)
})
