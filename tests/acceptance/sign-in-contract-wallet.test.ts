import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { startAnvil } from '../../scripts/world/anvil.ts'
import type { Anvil } from '../../scripts/world/anvil.ts'
import { counterfactualWallet, deployContractWallet } from '../../scripts/world/contract-wallet.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { signInByWallet, signInUnderTest } from './sign-in-under-test.ts'
import type { SignInUnderTest } from './sign-in-under-test.ts'
import { covers } from '../support/covers.ts'

/*
 * Wallets that are contracts (EIP-1271), on a real node. The chain with the id 31337 is set; that of 4242 is set,
 * too, but its address is a node of 31337, and that of 5555 has nobody at its address. That of 6666 answers calls as a
 * test says.
 */

const chainId = 31_337
const misconfiguredChain = 4_242
const unreachableChain = 5_555
const oddChain = 6_666

let testing: TestDatabase
let under: SignInUnderTest
let anvil: Anvil
let contract: string
const owner = createTestWallet()

let oddAnswer = { status: 200, body: {} }
const oddNode = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { method } = (await request.json()) as { method: string }
    return method === 'eth_chainId'
      ? Response.json({ jsonrpc: '2.0', id: 1, result: '0x1a0a' })
      : Response.json({ jsonrpc: '2.0', id: 1, ...oddAnswer.body }, { status: oddAnswer.status })
  },
})

beforeAll(async () => {
  testing = await testDatabase()
  anvil = await startAnvil({ chainId, timestamp: 1_767_225_600, blocks: 'on-demand' })
  contract = (await deployContractWallet(anvil, owner.address)).address
  const chainRpcs = new Map([
    [chainId, anvil.url],
    [misconfiguredChain, anvil.url],
    [unreachableChain, 'http://127.0.0.1:1'],
    [oddChain, oddNode.url.href],
  ])
  under = await signInUnderTest(testing.database, { settings: { chainRpcs } })
})
afterAll(async () => {
  under?.stop()
  await anvil?.stop()
  await oddNode.stop(true)
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

test('an answer that also names an error of null is one', async () => {
  oddAnswer = { status: 200, body: { result: `0x1626ba7e${'0'.repeat(56)}`, error: null } }
  expect((await signIn(owner, oddChain)).status).toBe(200)
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

  test('a chain that has no node in the settings, which is said', async () => {
    const { status, text } = await signIn(owner, 1)
    expect(status).toBe(401)
    expect(text).toContain('contracts cannot sign in on chain 1, for which no node is set here')
  })

  test('a call that reverts, however the node says so', async () => {
    for (const [status, code, message] of [
      [200, 3, 'execution failed'],
      [200, -32_000, 'execution reverted'],
      [400, -32_015, 'VM execution error: Reverted'],
      [500, -32_000, 'out of gas'],
    ] as const) {
      for (const more of [{}, { result: null }]) {
        oddAnswer = { status, body: { ...more, error: { code, message } } }
        expect((await signIn(owner, oddChain)).status).toBe(401)
      }
    }
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

/** Of a wallet that may not be there yet; `signer` is who signs for it. */
async function signInByWrapped(signer = owner) {
  const wallet = counterfactualWallet(owner.address)
  const browser = under.browser()
  const asked = await browser.post('/auth/wallet/challenge', { address: wallet.address, chainId })
  const { message } = JSON.parse(asked.text) as { message: string }
  const signature = wallet.wrap(signer.sign(message))
  return browser.post('/auth/wallet/verify', { message, signature })
}

test('a wallet that nobody has deployed yet signs in by how it will be made (ERC-6492)', async () => {
  const answer = await signInByWrapped()
  expect(answer.status).toBe(200)
  const subject = `eip155:${chainId}:${counterfactualWallet(owner.address).address.toLowerCase()}`
  expect([...(await identitiesOf(answer))]).toEqual([{ kind: 'wallet', subject }])
  expect((await signInByWrapped(createTestWallet())).status).toBe(401)
})

describe('a node that does not answer', () => {
  covers('threat-32')
  test('because it is asked too often, or is behind: 502', async () => {
    for (const [status, body] of [
      [200, { error: { code: -32_005, message: 'rate limit exceeded' } }],
      [401, { message: 'invalid project id' }],
      [200, { error: { code: -32_603, message: 'Internal error: header not found' } }],
    ] as const) {
      oddAnswer = { status, body }
      expect((await signIn(owner, oddChain)).status).toBe(502)
    }
  })

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
  expect(text).toContain(
    `"contractWalletChains":[${[chainId, misconfiguredChain, unreachableChain, oddChain].join(',')}]`,
  )
  expect(text).not.toContain(anvil.url)
})
