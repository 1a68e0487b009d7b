import { expect, test } from 'bun:test'

import { stateOfNewAccount } from './sign-up.ts'

const newcomer = { isConfiguredOperator: false, hasOperator: true }

test('each policy has its answer to a newcomer', () => {
  expect(stateOfNewAccount('open', newcomer)).toBe('active')
  expect(stateOfNewAccount('approval', newcomer)).toBe('pending')
  expect(stateOfNewAccount('closed', newcomer)).toBeNull()
})

test('an operator whom the settings name is always let in', () => {
  const named = { ...newcomer, isConfiguredOperator: true }
  for (const policy of ['open', 'approval', 'closed'] as const) {
    expect(stateOfNewAccount(policy, named)).toBe('active')
  }
})

test('whoever is to use the setup link can sign in, and do nothing else', () => {
  const first = { isConfiguredOperator: false, hasOperator: false }
  expect(stateOfNewAccount('closed', first)).toBe('pending')
  expect(stateOfNewAccount('approval', first)).toBe('pending')
})
