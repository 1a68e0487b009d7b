import { expect, test } from 'bun:test'

import { changeText } from './change-words.ts'
import { withEnabled, withUpdatedKey, withoutKey } from './key-changes.ts'
import { restrictionText } from './restriction-text.ts'
import { keyView } from './test-support/key-view.ts'

const [one, two] = [keyView({ id: '1', name: 'One' }), keyView({ id: '2', name: 'Two', state: 'expired' })]

test('a changed key stays in its place, a new one comes first, a deleted one is gone', () => {
  const renamed = { ...two, name: 'Zwei' }
  expect(withUpdatedKey([one, two], renamed)).toEqual([one, renamed])
  expect(withUpdatedKey([one], two)).toEqual([two, one])
  expect(withoutKey([one, two], '1')).toEqual([two])
})

test('a switch shows at once; expired stays expired', () => {
  const [off, gone] = withEnabled(withEnabled([one, two], '1', false), '2', true)
  expect([off?.state, off?.isEnabled, gone?.state]).toEqual(['disabled', false, 'expired'])
  expect(withEnabled([one], '1', true)[0]?.state).toBe('enabled')
})

test('what a change means is told, and when a process is late', () => {
  expect(changeText({ kind: 'disabled', name: 'CI', propagated: true })).toBe('“CI” is refused from now on.')
  expect(changeText({ kind: 'deleted', name: 'CI', propagated: false })).toBe(
    '“CI” is deleted, and refused from now on. One process of this installation did not answer in time: it follows within seconds, or within five minutes if it has lost the database.',
  )
})

test.each([
  [[], [], ''],
  [['192.0.2.1'], [], 'Only from 192.0.2.1'],
  [['192.0.2.1', '192.0.2.2', '::1'], ['*.example.com'], 'Only from 192.0.2.1 +2, on *.example.com'],
  [[], ['a.example', 'b.example'], 'Only on a.example +1'],
])('%j and %j read: %s', (allowedIps, allowedDomains, text) => {
  expect(restrictionText({ allowedIps, allowedDomains })).toBe(text)
})

test('what a key may call is a restriction, too', () => {
  const lists = { allowedMethods: ['eth_call', 'eth_get*'], allowedContracts: ['0xaa'] }
  expect(restrictionText({ allowedIps: ['192.0.2.1'], allowedDomains: [], ...lists })).toBe(
    'Only from 192.0.2.1, for eth_call +1, with 0xaa',
  )
})
