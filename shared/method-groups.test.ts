import { describe, expect, test } from 'bun:test'

import type { MethodRules } from './endpoints.ts'
import { methodGroups, methodsChange } from './method-groups.ts'

const known = {
  ordinary: ['eth_call', 'eth_chainId', 'debug_traceCall'],
  nodeControl: ['anvil_*', 'debug_*', 'eth_getWork'],
  keyUse: ['eth_sign'],
}

const rulesWith = (rules: Partial<MethodRules>): MethodRules => ({
  allow: [],
  deny: [],
  unknown: 'refuse',
  ...rules,
})

describe('the three groups of an endpoint', () => {
  test('are ordinary methods only where nothing is set', () => {
    expect(methodGroups(known, rulesWith({}))).toEqual({
      ordinary: { known: 3, open: 3 },
      restricted: { known: 4, open: [] },
      unknown: { areAllOpen: false, open: [] },
    })
  })

  test('tell what was opened by name, in each group', () => {
    const rules = rulesWith({
      allow: ['eth_*', 'anvil_mine', 'eth_sign', 'own_method'],
      deny: ['eth_chainId', 'eth_sign'],
    })
    expect(methodGroups(known, rules)).toEqual({
      ordinary: { known: 3, open: 1 },
      restricted: { known: 4, open: ['anvil_mine'] },
      unknown: { areAllOpen: false, open: ['own_method'] },
    })
  })
})

describe('a change of the rules', () => {
  test('opens what is named, and closes the rest when a blank list is filled', () => {
    expect(methodsChange(known, rulesWith({}), rulesWith({ allow: ['anvil_mine'] }))).toEqual({
      opened: ['anvil_mine'],
      closed: ['eth_call', 'eth_chainId', 'debug_traceCall'],
      unknown: null,
    })
    expect(methodsChange(known, rulesWith({}), rulesWith({ allow: ['*', 'anvil_mine'] }))).toEqual({
      opened: ['anvil_mine'],
      closed: [],
      unknown: null,
    })
  })

  test('opens nothing by a pattern that matches restricted methods only', () => {
    const before = rulesWith({ allow: ['eth_call'] })
    expect(methodsChange(known, before, rulesWith({ allow: ['eth_call', 'anvil_*'] })).opened).toEqual([])
  })

  test('says what becomes of unknown methods', () => {
    const open = rulesWith({ unknown: 'allow' })
    expect(methodsChange(known, rulesWith({}), open).unknown).toBe('opened')
    expect(methodsChange(known, open, rulesWith({})).unknown).toBe('closed')
  })
})
