import { afterAll, beforeAll, expect, test } from 'bun:test'

import {
  address,
  appendTransactionMessageInstruction,
  assertIsSendableTransaction,
  assertIsTransactionWithBlockhashLifetime,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getSignatureFromTransaction,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import {
  Connection,
  Keypair,
  PublicKey,
  SendTransactionError,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'

import { createTestInstallation, type TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type SolanaCluster, startSolanaCluster } from '../support/solana-cluster.ts'

/** The library that nearly all of Solana's programs use, over one key of a running server before two scripted nodes. */

const memoProgram = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const payer = Keypair.generate()
const connections: Connection[] = []

let cluster: SolanaCluster
let installation: TestInstallation
let url: string
let limitedUrl: string

beforeAll(async () => {
  cluster = startSolanaCluster()
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    endpoints: [{ name: 'sol', chain: 'solana', upstreams: cluster.urls.map((node) => ({ url: node })) }],
  })
  const server = await installation.start()
  const [made, limited] = await makeQueryKeys(await signInAt(server.url), server.url, [
    { name: 'app', endpoint: 'sol' },
    { name: 'trial', endpoint: 'sol', rateLimit: 1, rateLimitPeriod: 'minute' },
  ])
  url = `${server.url}/rpc/sol/${made?.key}`
  limitedUrl = `${server.url}/rpc/sol/${limited?.key}`
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await cluster?.stop()
}, 30_000)

/** The library looks for WebSockets at the next port, unless it is told the address. */
function connect(at = url, options = {}): Connection {
  const wsEndpoint = at.replace('http', 'ws')
  const connection = new Connection(at, { commitment: 'confirmed', wsEndpoint, ...options })
  connections.push(connection)
  return connection
}

const memo = (text: string): Transaction =>
  new Transaction().add(
    new TransactionInstruction({ keys: [], programId: memoProgram, data: Buffer.from(text) }),
  )

test('a transaction is sent and confirmed', async () => {
  const connection = connect()
  const signature = await sendAndConfirmTransaction(connection, memo('one'), [payer])
  expect(cluster.sent).toContain(signature)
  const { value } = await connection.getSignatureStatus(signature)
  expect(value).toMatchObject({ err: null })
  expect(await connection.getBalance(payer.publicKey)).toBeGreaterThan(0)
  expect(await connection.getAccountInfo(payer.publicKey)).toBeNull()
})

test('the newer library sends and confirms one, too', async () => {
  const rpc = createSolanaRpc(url)
  const rpcSubscriptions = createSolanaRpcSubscriptions(url.replace('http', 'ws'))
  const signer = await generateKeyPairSigner()
  const { value: lifetime } = await rpc.getLatestBlockhash().send()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(signer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) =>
      appendTransactionMessageInstruction(
        { programAddress: address(memoProgram.toBase58()), data: new TextEncoder().encode('kit') },
        timed,
      ),
  )
  const transaction = await signTransactionMessageWithSigners(message)
  assertIsSendableTransaction(transaction)
  assertIsTransactionWithBlockhashLifetime(transaction)
  const confirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })
  await confirm(transaction, { commitment: 'confirmed' })
  expect(cluster.sent).toContain(getSignatureFromTransaction(transaction))
  expect((await rpc.getBalance(signer.address).send()).value).toBeGreaterThan(0n)
})

test.each([0, 1])('confirmTransaction is told although node %i goes before', async (node) => {
  const connection = connect()
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
  cluster.holdTransactions(true)
  const signature = await connection.sendTransaction(memo(`held ${node}`), [payer])
  const slots: number[] = []
  const listener = connection.onSlotChange(({ slot }) => void slots.push(slot))
  const confirmed = connection.confirmTransaction({ signature, blockhash, lastValidBlockHeight })
  await waitUntil('slots are told', () => slots.length > 2)
  cluster.setAway(node, true)
  const told = slots.length
  await waitUntil('slots are told again', () => slots.length > told + 2)
  cluster.holdTransactions(false)
  expect((await confirmed).value.err).toBeNull()
  cluster.setAway(node, false)
  await connection.removeSlotChangeListener(listener)
  expect(slots).toEqual(slots.toSorted((one, other) => one - other))
})

test('the help says where the library finds WebSockets', async () => {
  const help = (await (await fetch(url)).json()) as {
    webSocketAddress: string
    examples: { with: string; code: string }[]
  }
  const example = help.examples.find((each) => each.with === '@solana/web3.js')
  expect(example?.code).toContain(`wsEndpoint: '${help.webSocketAddress}'`)
})

test('errors have the shape and the words that the library shows', async () => {
  const connection = connect()
  const failed = await connection.sendTransaction(memo('fail'), [payer]).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(SendTransactionError)
  expect((failed as SendTransactionError).logs).toEqual(['Program log: it fails'])
  await expect(connection.requestAirdrop(payer.publicKey, 1)).rejects.toThrow('Method not found')
  await expect(connect(`${url}x`).getSlot()).rejects.toThrow('this query key is not valid here')
  const limited = connect(limitedUrl, { disableRetryOnRateLimit: true })
  await Promise.allSettled([limited.getSlot()])
  await expect(limited.getSlot()).rejects.toThrow('the rate limit of this query key is reached')
})
