import { expect, test } from 'bun:test'

import { AlertChannel, AlertChannelChange } from '../../../shared/alert-channels.ts'
import { movedSecret } from './kept-secret.ts'

const telegram = { name: 'c', type: 'telegram', token: `1:${'t'.repeat(30)}`, chat: '@oncall' } as const
const pagerDuty = { name: 'c', type: 'pagerduty', routingKey: 'r'.repeat(32) } as const
const alertmanager = { name: 'c', type: 'alertmanager', url: 'https://am.example/a' } as const
const withPassword = { ...alertmanager, user: 'u', password: 'p' }
const elsewhere = 'https://elsewhere.example/'

test.each<[string, object, object, string | null]>([
  ['a token', telegram, { type: 'telegram', url: elsewhere }, 'token'],
  ['a key', pagerDuty, { type: 'pagerduty', url: elsewhere }, 'routingKey'],
  ['a password', withPassword, { type: 'alertmanager', url: elsewhere }, 'password'],
  ['a token over http', telegram, { type: 'telegram', url: 'http://api.telegram.org' }, 'token'],
  ['a token given again', telegram, { type: 'telegram', url: elsewhere, token: telegram.token }, null],
  ['a password for another path', withPassword, { type: 'alertmanager', url: 'https://am.example/b' }, null],
  ['no password', alertmanager, { type: 'alertmanager', url: elsewhere }, null],
  ['a token of a channel that stays', telegram, { type: 'telegram', chat: '@others' }, null],
])('%s goes to no other origin unless it is given again', (_, before, change, field) => {
  expect(movedSecret(AlertChannel.parse(before), AlertChannelChange.parse({ name: 'c', ...change }))).toBe(
    field,
  )
})
