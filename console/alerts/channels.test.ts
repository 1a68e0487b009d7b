import { describe, expect, test } from 'bun:test'

import type { ChannelType, ChannelView } from '../../shared/alert-channels.ts'
import {
  channelDraftOf,
  channelProblems,
  newChannelDraft,
  readChannelChange,
  readNewChannel,
} from './channel-draft.ts'
import type { ChannelDraft } from './channel-draft.ts'
import { channelStateText, channelTypeChoices, deliveryAnswerText, tookWords } from './channel-words.ts'

const good: Readonly<Record<ChannelType, Partial<ChannelDraft>>> = {
  slack: { url: ' https://hooks.slack.com/services/x ' },
  email: {
    smtp: 'smtps://u:p@mail.example.com:465',
    from: 'Gatehouse <g@example.com>',
    to: ['a@example.com'],
  },
  telegram: { token: '123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ', chat: '-1001234567890' },
  pagerduty: { routingKey: 'a'.repeat(32) },
  webhook: { url: 'https://example.com/hook' },
  alertmanager: { url: 'http://alertmanager.example.com:9093', user: 'gatehouse', password: 'secret' },
}
const channelTypes = channelTypeChoices.map(({ value }) => value)
const draftOf = (type: ChannelType): ChannelDraft => ({
  ...newChannelDraft(type),
  ...good[type],
  name: 'ops',
})
const stored = (type: ChannelType, settings: ChannelView['settings'] = {}): ChannelView => ({
  name: 'ops',
  type,
  managedBy: 'operator',
  target: 'https://example.com',
  quietHours: null,
  settings,
  sent: 0,
  waiting: 0,
  dead: 0,
  lastSentAt: null,
})

describe('channels', () => {
  test.each(channelTypes)('a new %s says what is missing, and is read once it is there', (type) => {
    const nothing = readNewChannel(newChannelDraft(type))
    expect(nothing.kind === 'wrong' && Object.keys(nothing.errors).length).toBeGreaterThan(1)
    expect(readNewChannel(draftOf(type))).toMatchObject({ kind: 'value', value: { type, name: 'ops' } })
  })

  test('addresses redden as they are typed, and nothing does before', () => {
    for (const type of channelTypes) expect(channelProblems(newChannelDraft(type))).toEqual({})
    expect(channelProblems({ ...draftOf('slack'), url: 'htp:/x' })).toEqual({
      url: 'An http or https address.',
    })
    expect(Object.keys(channelProblems({ ...draftOf('email'), to: ['a@example.com', 'nobody'] }))).toEqual([
      'to',
    ])
    expect(Object.keys(channelProblems({ ...draftOf('email'), smtp: 'mail.example.com' }))).toEqual(['smtp'])
    expect(Object.keys(channelProblems({ ...draftOf('telegram'), token: 'x' }))).toEqual(['token'])
    expect(Object.keys(channelProblems({ ...draftOf('webhook'), secret: 'whsec_short' }))).toEqual(['secret'])
    expect(Object.keys(channelProblems({ ...draftOf('slack'), name: 'o\u202Eps' }))).toEqual(['name'])
  })

  test('fields of another type are not sent', () => {
    const draft = { ...draftOf('slack'), token: 'left over', password: 'left over' }
    expect(readNewChannel(draft)).toEqual({
      kind: 'value',
      value: { type: 'slack', name: 'ops', url: 'https://hooks.slack.com/services/x' },
    })
  })

  test('a change leaves secrets as they are, and keeps what is not secret', () => {
    const draft = channelDraftOf(stored('email', { from: 'g@example.com', to: ['a@example.com'] }))
    expect(readChannelChange({ ...draft, to: ['b@example.com'] })).toEqual({
      kind: 'value',
      value: { type: 'email', name: 'ops', from: 'g@example.com', to: ['b@example.com'], quietHours: null },
    })
    expect(readChannelChange({ ...draft, from: '' })).toMatchObject({ kind: 'wrong' })
  })

  test('quiet hours are sent while they are on, with days only where some are left out', () => {
    const draft = draftOf('webhook')
    const span = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' }
    const quiet = { ...draft, isQuiet: true, quietHours: { ...draft.quietHours, ...span } }
    expect(readNewChannel(quiet)).toMatchObject({ value: { quietHours: span } })
    const days = ['mon', 'tue'] as const
    expect(readNewChannel({ ...quiet, quietHours: { ...quiet.quietHours, days } })).toMatchObject({
      value: { quietHours: { ...span, days } },
    })
    expect(readNewChannel({ ...quiet, quietHours: { ...quiet.quietHours, days: [] } }).kind).toBe('wrong')
  })

  test('what was given up is told before what waits', () => {
    expect(channelStateText({ sent: 0, waiting: 0, dead: 0 }).text).toBe('nothing sent yet')
    expect(channelStateText({ sent: 1_604, waiting: 0, dead: 0 }).text).toBe('1,604 sent')
    expect(channelStateText({ sent: 9, waiting: 2, dead: 0 })).toEqual({ tone: 'warn', text: '2 waiting' })
    expect(channelStateText({ sent: 9, waiting: 2, dead: 1 })).toEqual({ tone: 'bad', text: '1 given up' })
  })
})

const answered = (state: 'sent' | 'waiting' | 'dead', answer: string | null, attempts: number) =>
  deliveryAnswerText({ state, answer, attempts }).text

test('what became of a delivery', () => {
  expect(answered('sent', '200 ok', 1)).toBe('200 ok')
  expect(answered('sent', '200 ok', 3)).toBe('200 ok, after 3 attempts')
  expect(answered('dead', '410 Gone', 6)).toBe('410 Gone, given up')
  expect(answered('waiting', null, 0)).toBe('waits to be sent')
  expect(answered('waiting', '503', 2)).toBe('503')
  expect([400, 38_000, 720_000, 10_800_000].map(tookWords)).toEqual(['0.4 s', '38 s', '12 min', '3 h'])
})
