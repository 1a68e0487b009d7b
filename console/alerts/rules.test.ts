import { describe, expect, test } from 'bun:test'

import type { AlertCondition, AlertRule } from '../../shared/alerts.ts'
import { alertRuleFields, newRuleDraft, readRuleDraft, ruleDraftOf, ruleProblems } from './rule-draft.ts'
import { conditionKinds, conditionText, ruleSubjectText, selectorText } from './rule-words.ts'

const conditions: readonly (readonly [AlertCondition, string])[] = [
  [{ decision: ['DOWN', 'UNKNOWN'], for: '1m' }, 'Decision is DOWN or UNKNOWN for 1 min'],
  [{ decision: ['LATENCY'], for: '0s' }, 'Decision is LATENCY at once'],
  [{ change: true }, 'Any change of the decision'],
  [{ flapping: { changes: 6, within: '1h' } }, '6 changes or more in 1 h'],
  [{ certificate: { within: '14d' } }, 'Certificate ends within 14 d'],
  [{ keyEnds: { within: '36h' } }, 'Key ends within 36 h'],
  [{ keyLimit: { percent: 90 } }, '90% of a key’s limit is used'],
  [
    { budget: { of: 'account', measure: 'credits', units: 1_000_000, percent: 80 } },
    '80% of 1,000,000 credits a month are used by any account',
  ],
  [
    { budget: { of: 'key', id: 'qkey_1', measure: 'calls', units: 500, percent: 100 } },
    '100% of 500 calls a month are used by one query key',
  ],
  [{ installation: ['limits'], for: '5m' }, 'The store of the limits is away for 5 min'],
  [{ tools: 'changed' }, 'Tools are not those that were accepted'],
  [{ account: ['new operator'] }, 'Somebody becomes an operator'],
  [{ verifier: ['gone', 'isolated'], for: '2m' }, 'Verifier is silent or cut off from its network for 2 min'],
]

const ruleWith = (when: AlertCondition): AlertRule => ({
  name: 'A rule',
  when,
  channels: ['ops'],
  repeat: '4h',
  enabled: false,
})

describe('rules', () => {
  test.each(conditions)('%j reads as %s', (when, text) => expect(conditionText(when)).toBe(text))

  test.each(conditions)('%j comes through the form as it was', (when) => {
    const rule = ruleWith(when)
    expect(readRuleDraft(ruleDraftOf(rule, ['ops', 'chat']), false)).toEqual({ kind: 'value', value: rule })
  })

  test('a new one of each kind wants a name only', () => {
    for (const kind of conditionKinds) {
      const draft = { ...newRuleDraft(['ops']), kind }
      expect([kind, readRuleDraft(draft, true)]).toEqual([
        kind,
        { kind: 'wrong', errors: { name: 'Give it a name.' } },
      ])
      expect(readRuleDraft({ ...draft, name: 'A rule' }, true).kind).toBe('value')
    }
  })

  test('what is typed wrongly is told at its field while it is typed', () => {
    const draft = { ...newRuleDraft([]), for: 'soon', repeat: '4 h', decision: [] }
    expect(Object.keys(ruleProblems(draft)).toSorted()).toEqual(['decision', 'for', 'repeat'])
    const flapping = { ...newRuleDraft([]), kind: 'flapping' as const, changes: '1.5', within: '1y' }
    expect(ruleProblems(flapping)).toMatchObject({ changes: 'Expected a whole number from 2 to 1000.' })
    for (const field of Object.keys(ruleProblems(flapping))) expect(alertRuleFields).toContain(field as 'for')
  })

  test('whoever chooses only some services and names none does not get all', () => {
    const services = { ...newRuleDraft([]).services, isNarrow: true }
    const draft = { ...newRuleDraft([]), name: 'A rule', services }
    expect(readRuleDraft(draft, true)).toMatchObject({
      kind: 'wrong',
      errors: { services: expect.any(String) },
    })
    expect(readRuleDraft({ ...draft, kind: 'verifier' }, true).kind).toBe('value')
    expect(readRuleDraft({ ...draft, services: { ...services, chain: ['ethereum'] } }, true)).toMatchObject({
      value: { services: { chain: ['ethereum'] } },
    })
  })

  test('for what they hold is one line', () => {
    expect(selectorText(undefined)).toBe('all services')
    const selector = { id: ['a', 'b'], chain: 'ethereum', provider: ['Acme', 'Blockyard', 'Cairn'] }
    expect(selectorText(selector, (id) => `Node ${id.toUpperCase()}`)).toBe(
      'Node A or Node B, chain ethereum, provider Acme, Blockyard, or Cairn',
    )
    expect(ruleSubjectText({ when: { verifier: ['gone'], for: '0s' } })).toBe('all verifiers')
  })
})
