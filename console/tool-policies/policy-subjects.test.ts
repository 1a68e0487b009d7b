import { expect, test } from 'bun:test'

import type { ToolPolicySubject } from '../../shared/tool-policies.ts'
import { policyChoices, policyRows } from './policy-subjects.ts'
import { countedTexts, toolPolicyTexts, ruleText } from './policy-words.ts'

const choices = policyChoices({
  keys: [
    { id: 'key_1', name: 'CI', permissions: ['gateway_use'], state: 'enabled' },
    { id: 'key_2', name: 'Reports', permissions: ['statistics_read'], state: 'enabled' },
  ],
  agents: [{ id: 'agt_1', clientName: 'Claude', verifiedHost: null }],
  connections: [{ id: 'con_1', label: 'Team', name: 'Acme Tools' }],
})
const policy = { deny: ['delete_*'], readOnly: false, arguments: [], limits: [], prices: [] }
const viewOf = (subject: ToolPolicySubject) => ({ subject, accountId: 'acc_1', policy, updatedAt: 1 })

test('policies stand by level, under the names of what they are for', () => {
  const policies = [
    viewOf({ level: 'connection', id: 'con_1' }),
    viewOf({ level: 'key', id: 'key_gone' }),
    viewOf({ level: 'key', id: 'agt_1' }),
    viewOf({ level: 'account' }),
  ]
  const shown = policyRows(policy, policies, choices).map(({ level, name, isGone }) => [level, name, isGone])
  expect(shown).toEqual([
    ['installation', 'Everybody', false],
    ['account', 'Your whole account', false],
    ['key', 'Claude', false],
    ['key', 'key_gone', true],
    ['connection', 'Team', false],
  ])
  expect(policyRows(null, policies, null).map(({ isGone }) => isGone)).toEqual([false, false, false, false])
})

test('a key that may not call tools is not offered', () => {
  expect(choices.filter(({ isCalling }) => isCalling).map(({ label }) => label)).toEqual([
    'Your whole account',
    'API key “CI”',
    'Agent “Claude”',
    'Connection “Team”',
  ])
})

test('rules are told in words', () => {
  const full = {
    ...policy,
    allow: ['get_*'],
    readOnly: true,
    limits: [{ tools: ['get_*'], calls: 10, period: 'hour' as const }],
    prices: [{ tools: ['*'], credits: 1 }],
    credits: { units: 5, period: 'day' as const },
    arguments: [{ tools: ['transfer'], schema: {} }],
  }
  expect(toolPolicyTexts(full).map(({ title, text }) => `${title}: ${text}`)).toEqual([
    'Allowed: only get_*',
    'Denied: delete_*',
    'Read only: only tools that say they only read',
    'Most calls: get_*: 10 per hour',
    'Prices: *: 1 credit',
    'Most credits: 5 per day',
    'Arguments: transfer',
  ])
  expect(ruleText('connection limits[0]')).toBe('policy of the connection, limit 1')
  expect(ruleText('changed_tool')).toContain('changed tools are blocked')
  expect(
    countedTexts({
      counted: [{ rule: 'account credits', limit: { units: 5, period: 'day' }, units: 1 }],
    }),
  ).toEqual(['1 of 5 per day (policy of the account, credits)'])
})
