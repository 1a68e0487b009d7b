import { beforeEach, expect, spyOn, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { consolePages } from '../../shared/console-pages.ts'
import type { IncidentStage, StatusIncident } from '../../shared/status-pages.ts'
import { mountPage } from '../test-support/mount-page.ts'
import IncidentsTab from './IncidentsTab.vue'

const started: StatusIncident = {
  id: 'inc_1',
  page: 'main',
  kind: 'incident',
  title: 'Base is slow',
  services: [],
  startsAt: 1,
  endsAt: null,
  isOver: false,
  updates: [{ at: 1, stage: 'investigating', text: 'We look.' }],
}
const withUpdate = (stage: IncidentStage, isOver: boolean): StatusIncident => ({
  ...started,
  isOver,
  updates: [...started.updates, { at: 2, stage, text: 'Of a colleague.' }],
})

let incidents: readonly StatusIncident[]
beforeEach(() => {
  incidents = [started]
})

const open = () =>
  mountPage(
    IncidentsTab,
    {
      'statusPages.incidents': () => incidents,
      'statusPages.list': () => [],
      'services.list': () => [],
    },
    consolePages.statusPages,
  )
const shownDialog = (): string =>
  document.querySelector('[role=dialog]')?.textContent?.replaceAll(/\s+/g, ' ') ?? ''

test('what a colleague wrote about an incident appears while the tab is looked at', async () => {
  const timers = spyOn(globalThis, 'setInterval')
  const { wrapper } = await open()
  const ticks = timers.mock.calls.flatMap(([tick]) => (typeof tick === 'function' ? [tick] : []))
  timers.mockRestore()
  incidents = [withUpdate('resolved', true)]
  for (const tick of ticks) tick()
  await waitUntil('it appears', () => wrapper.text().includes('Of a colleague.'))
})

const changes = [
  { what: 'resolved', now: () => [withUpdate('resolved', true)], told: 'It now stands at “Resolved”' },
  { what: 'deleted', now: () => [], told: 'The incident was deleted.' },
]
test.each(changes)('whoever writes about an incident is told once it is $what', async ({ now, told }) => {
  const { wrapper, askAgain } = await open()
  await wrapper.get('[aria-label="Write an update of Base is slow"]').trigger('click')
  await waitUntil('the form is open', () => shownDialog().includes('What visitors should know'))
  await askAgain()
  expect(shownDialog()).not.toContain('changed elsewhere')

  incidents = now()
  await askAgain()
  await waitUntil('it is told', () => shownDialog().includes('This was changed elsewhere meanwhile'))
  expect(shownDialog()).toContain(told)
})
