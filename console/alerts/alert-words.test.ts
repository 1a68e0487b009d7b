import { expect, test } from 'bun:test'

import { alertSubjects } from '../../shared/alerts.ts'
import { consolePages } from '../../shared/console-pages.ts'
import { alertsQueryOf, alertsViewFromQuery } from './alert-view.ts'
import { affectedText, subjectPlace, alertNoticeText } from './alert-words.ts'
import { foundOptions, optionOf } from './pick-list.ts'
import { firingAlert } from './test-support/firing-alert.ts'

test('each subject leads to a page', () => {
  for (const kind of alertSubjects)
    expect(Object.keys(consolePages)).toContain(subjectPlace({ kind, id: 'x', name: 'X' }).name)
  expect(subjectPlace({ kind: 'chain', id: 'base', name: 'Base' })).toEqual({
    name: 'services',
    query: { chain: 'base' },
  })
})

test('who was told, or why nobody was', () => {
  expect(alertNoticeText(firingAlert({ toldTo: ['ops', 'chat'] }))).toBe('told to ops and chat')
  expect(alertNoticeText(firingAlert({ hasChannel: false }))).toBe('nobody is told: its rule has no channel')
  expect(alertNoticeText(firingAlert({}))).toBe('waits to be told')
  expect(alertNoticeText(firingAlert({ resolvedAt: 1 }))).toBe('nobody was told')
  const work = { by: 'maintenance', name: 'New disks', reason: 'Moving' } as const
  expect(alertNoticeText(firingAlert({ heldBack: work }))).toBe(
    'held back by maintenance “New disks”: Moving',
  )
  const silence = { by: 'silence', name: 's1', reason: '' } as const
  expect(alertNoticeText(firingAlert({ heldBack: silence }))).toBe('held back by a silence')
  const seen = firingAlert({ toldTo: ['ops'], acknowledged: { at: 0, by: '0x26…a8' } })
  expect(alertNoticeText(seen)).toBe('told to ops; 0x26…a8 takes care of it')
  const noted = { at: 0, by: '0x26…a8', note: 'Provider moves a feed' }
  expect(alertNoticeText(firingAlert({ acknowledged: noted }))).toBe(
    '0x26…a8 takes care of it: “Provider moves a feed”',
  )
  expect(affectedText({ affected: 1 })).toBe('')
  expect(affectedText({ affected: 40 })).toBe('one message stands for 40 services')
})

test('what is shown stands in the address', () => {
  const view = {
    tab: 'deliveries',
    create: 'channel',
    channel: '#nodes',
    state: 'dead',
    delivery: 'msg_1',
  } as const
  expect(alertsViewFromQuery(alertsQueryOf(view))).toEqual(view)
  expect(alertsQueryOf(alertsViewFromQuery({ tab: 'nonsense', state: 'nonsense' }))).toEqual({})
})

test('things are found by a part of their name, and chosen by the whole of it or by their id', () => {
  const options = ['Node A', 'Node B', 'Archive'].map((label) => ({ value: label.toLowerCase(), label }))
  expect(foundOptions(options, 'node', ['node a']).map(({ label }) => label)).toEqual(['Node B'])
  expect(optionOf(options, ' NODE b ')?.value).toBe('node b')
  expect(optionOf(options, 'Node')).toBeUndefined()
  const many = Array.from({ length: 10_000 }, (_, place) => ({ value: String(place), label: `S ${place}` }))
  expect(foundOptions(many, '', [])).toHaveLength(50)
})
