import { expect, test } from 'bun:test'
import { Transaction, Wallet } from 'ethers'

import { sendTransaction } from './send-transaction.ts'

const raw = await new Wallet(`0x${'11'.repeat(32)}`).signTransaction({
  type: 2,
  chainId: 31_337,
  nonce: 7,
  gasLimit: 21_000,
  to: `0x${'22'.repeat(20)}`,
  maxFeePerGas: 10,
})
const hash = JSON.stringify(Transaction.from(raw).hash)
const params = JSON.stringify([raw])

const error = (message: string) => ({ result: null, error: JSON.stringify({ code: -32_000, message }) })
const accepted = { result: hash, error: null }
const lost = { result: null, error: null }
const alreadyKnown = error('already known')
const nonceTooLow = error('nonce too low: next nonce 8, tx nonce 7')
const poor = error('insufficient funds for gas * price + value')

type Answer = typeof accepted | typeof poor | typeof lost | 'never'

/** Sends to nodes that answer so, in the order of their upstreams. */
async function sendingTo(answers: readonly Answer[], { isKnown = false, atOnce = 3 } = {}) {
  const sentTo: number[] = []
  let lookUps = 0
  const outcome = await sendTransaction({
    params,
    upstreams: answers.map((_, index) => index),
    atOnce,
    async send(upstream) {
      sentTo.push(upstream)
      const answer = answers[upstream] ?? lost
      return answer === 'never' ? await new Promise(() => undefined) : answer
    },
    async isKnown(asked) {
      lookUps++
      expect(JSON.stringify(asked)).toBe(hash)
      return isKnown
    },
  })
  return { ...outcome, sentTo, lookUps }
}

const theHash = { kind: 'result', text: hash } as const

test('goes to three nodes at once, and the first hash counts', async () => {
  expect(await sendingTo(['never', accepted, 'never', accepted])).toMatchObject({
    ...theHash,
    sentTo: [0, 1, 2],
    lookUps: 0,
  })
})

test.each<[string, Answer[]]>([
  ['two nodes have it already', [alreadyKnown, alreadyKnown]],
  ['one has it already and one fails after it has received it', [lost, alreadyKnown]],
  ['one refuses it and one accepts it', [poor, accepted]],
  ['one has its nonce in a block and one accepts it', [nonceTooLow, accepted]],
])('%s: the hash, without asking anybody', async (_, answers) => {
  expect(await sendingTo(answers)).toMatchObject({ ...theHash, lookUps: 0 })
})

test.each<[string, Answer[]]>([
  ['all fail after they have received it', [lost, lost, lost]],
  ['its nonce is in a block', [nonceTooLow, nonceTooLow]],
  ['one refuses it and one fails', [poor, lost]],
])('%s: the hash, if a node knows it', async (_, answers) => {
  expect(await sendingTo(answers, { isKnown: true })).toMatchObject(theHash)
  expect((await sendingTo(answers)).kind).not.toBe('result')
})

test('a refusal is told when no other node accepts it, even while one hangs', async () => {
  expect(await sendingTo([poor, poor])).toMatchObject({ kind: 'error', text: poor.error, lookUps: 0 })
  expect(await sendingTo([poor, 'never'])).toMatchObject({ kind: 'error', text: poor.error, lookUps: 0 })
})

test('further nodes get it only when none of the first has answered', async () => {
  const outcome = await sendingTo([lost, lost, accepted], { atOnce: 2 })
  expect(outcome).toMatchObject({ ...theHash, sentTo: [0, 1, 2] })
  expect((await sendingTo([poor, lost, accepted], { atOnce: 2 })).sentTo).toEqual([0, 1])
  expect(await sendingTo([lost], { atOnce: 2 })).toMatchObject({ kind: 'unanswered' })
})
