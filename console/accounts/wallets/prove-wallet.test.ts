import { describe, expect, test } from 'bun:test'

import { chooseAddress, hexOf } from './prove-wallet.ts'

const ada = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
const bob = '0x000000000000000000000000000000000000dEaD'

describe('the address to sign with', () => {
  test('is the one chosen in the wallet', () => {
    expect(chooseAddress([ada, bob], null, 'Fox')).toBe(ada)
  })

  test('is one that will do, when not all do', () => {
    expect(chooseAddress([ada, bob], [bob.toLowerCase()], 'Fox')).toBe(bob)
  })

  test('is named when none will do, with what to do', () => {
    expect(() => chooseAddress([ada], [bob.toLowerCase()], 'Fox')).toThrow(
      'Fox offers 0xAb58…eC9B, which is not a wallet of this account. Choose 0x0000…dead in the wallet',
    )
  })

  test.each([[[]], [null], ['0x12'], [['0x12']], [[null]]])('%p is none', (shared) => {
    expect(() => chooseAddress(shared, null, 'Fox')).toThrow('Fox shared no address')
  })
})

test('a message is handed to the wallet as the bytes of its UTF-8', () => {
  expect(hexOf('a\né…')).toBe('0x610ac3a9e280a6')
})
