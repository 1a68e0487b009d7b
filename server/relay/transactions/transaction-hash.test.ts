import { describe, expect, test } from 'bun:test'
import { Wallet, Transaction, keccak256 } from 'ethers'

import { judgeSendError } from './judge-error.ts'
import { transactionHash } from './transaction-hash.ts'

const wallet = new Wallet(`0x${'11'.repeat(32)}`)
const common = { to: wallet.address, value: 1, nonce: 7, gasLimit: 21_000, chainId: 31_337 }
const fees = { maxFeePerGas: 10, maxPriorityFeePerGas: 1 }

describe('the hash of a signed transaction', () => {
  test.each([
    ['legacy', { ...common, type: 0, gasPrice: 10 }],
    ['legacy with much data', { ...common, type: 0, gasPrice: 10, data: `0x${'ab'.repeat(70_000)}` }],
    ['access list', { ...common, type: 1, gasPrice: 10, accessList: [] }],
    ['fee market', { ...common, ...fees, type: 2 }],
  ])('%s is that of its bytes, as ethers says', async (_, fields) => {
    const raw = await wallet.signTransaction(fields)
    expect(transactionHash(raw)).toBe(Transaction.from(raw).hash as `0x${string}`)
    expect(transactionHash(raw.toUpperCase().replace('0X', '0x'))).toBe(keccak256(raw) as `0x${string}`)
  })

  test('with blobs is that of the transaction without them', async () => {
    const signed = Transaction.from(
      await wallet.signTransaction({
        ...common,
        ...fees,
        type: 3,
        maxFeePerBlobGas: 1,
        blobVersionedHashes: [`0x01${'22'.repeat(31)}`],
      }),
    )
    const body = Buffer.from(signed.serialized.slice(4), 'hex')
    const blobs = Buffer.concat([Buffer.from([0xfa, 0x02, 0x00, 0x00]), Buffer.alloc(131_072, 7)])
    const length = body.length + blobs.length
    const head = Buffer.from([0x03, 0xfa, length >> 16, (length >> 8) & 255, length & 255])
    const sent = `0x${Buffer.concat([head, body, blobs]).toString('hex')}`
    expect(transactionHash(sent)).toBe(signed.hash as `0x${string}`)
    expect(transactionHash(signed.serialized)).toBe(signed.hash as `0x${string}`)
  })

  test.each(['', '0x', '0x1', '0xzz', '0x71f8', '0x7ef8', '0xc101ff', '0x02c1', '0x02', 'f8', '0x00c0'])(
    'of %p is not known',
    (raw) => {
      expect(transactionHash(raw)).toBeNull()
    },
  )
})

describe('an error about a transaction', () => {
  test.each([
    ['already known', 'known'],
    ['AlreadyKnown, AlreadyKnown', 'known'],
    ['known transaction: 1a2b', 'known'],
    ['ALREADY_EXISTS: already known', 'known'],
    ['Transaction with the same hash was already imported.', 'known'],
    ['transaction already exists', 'known'],
    ['tx already in mempool', 'known'],
    ['nonce too low: next nonce 8, tx nonce 7', 'maybe-known'],
    ['OldNonce, Current nonce: 8, nonce of rejected tx: 7', 'maybe-known'],
    ['Transaction nonce is too low. Try incrementing the nonce.', 'maybe-known'],
    ['Nonce too low. Expected nonce to be 8 but got 7.', 'maybe-known'],
    ['replacement transaction underpriced', 'maybe-known'],
    ['NONCE_TOO_LOW', 'maybe-known'],
    ['nonce too high', 'rejected'],
    ['insufficient funds for gas * price + value', 'rejected'],
    ['intrinsic gas too low', 'rejected'],
    ['execution reverted', 'rejected'],
    ['transaction underpriced', 'rejected'],
    ['invalid sender', 'rejected'],
  ])('%s: %s', (message, verdict) => {
    expect<string>(judgeSendError(JSON.stringify({ code: -32_000, message }))).toBe(verdict)
  })
})
