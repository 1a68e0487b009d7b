import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { startAnvil } from '../../scripts/world/anvil.ts'
import type { Anvil } from '../../scripts/world/anvil.ts'
import { deployContractWallet } from '../../scripts/world/contract-wallet.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { signInByWallet, signInUnderTest } from './sign-in-under-test.ts'
import type { SignInUnderTest } from './sign-in-under-test.ts'
import { covers } from '../support/covers.ts'

/*
 * Wallets that are contracts (EIP-1271), on a real node. The chain with the id 31337 is set; that of 4242 is set,
 * too, but its address is a node of 31337, and that of 5555 has nobody at its address.
 */

const chainId = 31_337
const misconfiguredChain = 4_242
const unreachableChain = 5_555

let testing: TestDatabase
let under: SignInUnderTest
let anvil: Anvil
let contract: string
const owner = createTestWallet()

beforeAll(async () => {
  testing = await testDatabase()
  anvil = await startAnvil({ chainId, timestamp: 1_767_225_600, blocks: 'on-demand' })
  contract = (await deployContractWallet(anvil, owner.address)).address
  const chainRpcs = new Map([
    [chainId, anvil.url],
    [misconfiguredChain, anvil.url],
    [unreachableChain, 'http://127.0.0.1:1'],
  ])
  under = await signInUnderTest(testing.database, { settings: { chainRpcs } })
})
afterAll(async () => {
  under?.stop()
  await anvil?.stop()
  await testing?.drop()
})

const signIn = (wallet = owner, onChain = chainId, address = contract) =>
  signInByWallet(under.browser(), wallet, { chainId: onChain, address })

const identitiesOf = async (answer: { text: string }) => {
  const { accountId } = JSON.parse(answer.text) as { accountId: string }
  return testing.database.sql`SELECT kind, subject FROM identities WHERE account_id = ${accountId}`
}

test('the contract calls its owner’s signature good: an account of this chain and this address', async () => {
  const answer = await signIn()
  expect(answer.status).toBe(200)
  const subject = `eip155:${chainId}:${contract.toLowerCase()}`
  expect([...(await identitiesOf(answer))]).toEqual([{ kind: 'wallet', subject }])
  expect(JSON.parse((await signIn()).text)).toMatchObject({ isNewAccount: false })
})

test('the owner’s own address is another account', async () => {
  const byContract = JSON.parse((await signIn()).text) as { accountId: string }
  const byKey = await signInByWallet(under.browser(), owner, { chainId })
  expect(byKey.status).toBe(200)
  expect((JSON.parse(byKey.text) as { accountId: string }).accountId).not.toBe(byContract.accountId)
})

describe('refused', () => {
  covers('threat-32')
  test('a signature that the contract does not call good', async () => {
    expect((await signIn(createTestWallet())).status).toBe(401)
  })

  test('an address with no contract', async () => {
    expect((await signIn(owner, chainId, createTestWallet().address)).status).toBe(401)
  })

  test('a chain that has no node in the settings', async () => {
    expect((await signIn(owner, 1)).status).toBe(401)
  })

  test('a node of another chain, though it says yes; the log tells the operator', async () => {
    expect((await signIn(owner, misconfiguredChain)).status).toBe(401)
    expect(under.lines.some((line) => line.includes('is a node of another chain'))).toBe(true)
  })

  test('a signature of another length, which the contract cannot read', async () => {
    const browser = under.browser()
    const asked = await browser.post('/auth/wallet/challenge', { address: contract, chainId })
    const { message } = JSON.parse(asked.text) as { message: string }
    const signature = `0x00${owner.sign(message).slice(2)}`
    expect((await browser.post('/auth/wallet/verify', { message, signature })).status).toBe(401)
  })
})

describe('a node that does not answer', () => {
  covers('threat-32')
  test('because nobody is there: 502', async () => {
    expect((await signIn(owner, unreachableChain)).status).toBe(502)
  })

  test('because it hangs: 502 after three seconds, while keys sign in at once', async () => {
    anvil.pause()
    try {
      const startedAt = performance.now()
      const hanging = signIn()
      const byKey = await signInByWallet(under.browser(), createTestWallet(), { chainId })
      expect(byKey.status).toBe(200)
      expect(performance.now() - startedAt).toBeLessThan(1_000)
      expect((await hanging).status).toBe(502)
      expect(performance.now() - startedAt).toBeWithin(2_500, 4_500)
    } finally {
      anvil.resume()
    }
  })
})

test('the page is told on which chains contract wallets work', async () => {
  const { text } = await under.browser().query('accounts.signInOptions')
  expect(text).toContain(`"contractWalletChains":[${chainId},${misconfiguredChain},${unreachableChain}]`)
  expect(text).not.toContain(anvil.url)
})
