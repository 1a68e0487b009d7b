import { expect, test } from 'bun:test'

import { contractSubject, identityLabel } from './identity.ts'
import { effectiveStanding, readOperators } from './operators.ts'

const address = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
const key = { kind: 'wallet', subject: address.toLowerCase() } as const

test('names wallets in any case, and users of providers', () => {
  const operators = readOperators([address, 'github:583231', 'google:1134'])
  expect(operators.includes(key)).toBe(true)
  expect(operators.includes({ kind: 'github', subject: '583231' })).toBe(true)
  expect(operators.includes({ kind: 'google', subject: '583231' })).toBe(false)
})

test('an address is that of a key; a contract has to be named with its chain', () => {
  const contract = { kind: 'wallet', subject: contractSubject(8453, address) } as const
  expect(readOperators([address]).includes(contract)).toBe(false)
  const operators = readOperators([`eip155:8453:${address}`])
  expect(operators.includes(contract)).toBe(true)
  expect(operators.includes(key)).toBe(false)
  expect(operators.includes({ kind: 'wallet', subject: contractSubject(1, address) })).toBe(false)
})

test('an entry that is nobody is an error that names it', () => {
  for (const entry of ['octocat', 'github:octocat', 'wallet:0x12', '']) {
    expect(() => readOperators([entry])).toThrow(JSON.stringify(entry))
  }
})

test('the setting adds to what is stored, and takes nothing away', () => {
  const named = readOperators([address])
  const account = { role: 'account', state: 'pending', identities: [key] } as const
  const operator = { role: 'operator', state: 'active' } as const
  expect(effectiveStanding(account, named)).toEqual(operator)
  expect(effectiveStanding({ ...account, identities: [] }, named)).toEqual({
    role: 'account',
    state: 'pending',
  })
  expect(effectiveStanding({ ...operator, identities: [] }, readOperators([]))).toEqual(operator)
})

test('labels shorten addresses', () => {
  expect(identityLabel(key)).toBe('wallet 0xab58…ec9b')
  expect(identityLabel({ kind: 'wallet', subject: contractSubject(1, address) })).toBe(
    'wallet eip155:1:0xab58…ec9b',
  )
  expect(identityLabel({ kind: 'github', subject: '583231' })).toBe('github 583231')
})
