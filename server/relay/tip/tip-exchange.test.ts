import { expect, test } from 'bun:test'

import type { SharedTips, TipView } from './shared-tips.ts'
import { TipExchange } from './tip-exchange.ts'

/** A store of one height, of which each exchange takes until the test lets it pass. */
function createStore() {
  let height = 0
  const waiting: (() => void)[] = []
  const shared: SharedTips = {
    async exchange(_, { tips }) {
      await new Promise<void>((resolve) => waiting.push(resolve))
      height = Math.max(height, tips.latest?.height ?? 0)
      return viewOf(height)
    },
    close: () => undefined,
  }
  return { shared, waiting, height: () => height }
}

const viewOf = (height: number): TipView => ({
  tips: { latest: { height, confirmedAt: 0, epoch: 0 }, safe: null, finalized: null },
  heads: new Map(),
})

function createProcess(shared: SharedTips) {
  const state = { height: 0, version: 0, at: 0 }
  const rise = (height: number): void => {
    if (height <= state.height) return
    state.height = height
    state.version++
  }
  const exchange = new TipExchange(
    {
      name: 'testnet',
      now: () => state.at,
      view: () => viewOf(state.height),
      version: () => state.version,
      takeOver: ({ tips }) => rise(tips.latest?.height ?? 0),
    },
    shared,
  )
  return { exchange, state, rise }
}

const pass = async (waiting: (() => void)[]): Promise<void> => {
  waiting.shift()?.()
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

test('who asks while an exchange is under way shares the next one, which knows all that was told by then', async () => {
  const store = createStore()
  const { exchange, rise } = createProcess(store.shared)
  rise(1)
  const first = exchange.exchanged(0)
  rise(2)
  const second = exchange.exchanged(0)
  expect(exchange.exchanged(0)).toBe(second)
  expect(store.waiting).toHaveLength(1)
  await pass(store.waiting)
  await first
  expect(store.height()).toBe(1)
  await pass(store.waiting)
  await second
  expect(store.height()).toBe(2)
})

test('what was exchanged is good for as long as the caller says', async () => {
  const store = createStore()
  const { exchange, state } = createProcess(store.shared)
  const first = exchange.exchanged(20)
  await pass(store.waiting)
  await first
  state.at = 19
  expect(exchange.exchanged(20)).toBeNull()
  expect(exchange.exchanged(0)).not.toBeNull()
})

test('a block is told once: again only when there is a newer one', async () => {
  const store = createStore()
  const { exchange, rise } = createProcess(store.shared)
  rise(1)
  const telling = exchange.told()
  rise(2)
  await pass(store.waiting)
  await telling
  const again = exchange.told()
  expect(again).not.toBeNull()
  await pass(store.waiting)
  await again
  expect(exchange.told()).toBeNull()
})

test('all who tell of one block wait for the same exchange', async () => {
  const store = createStore()
  const { exchange, rise } = createProcess(store.shared)
  rise(1)
  const telling = exchange.told()
  expect(exchange.told()).toBe(telling)
  rise(2)
  expect(exchange.told()).not.toBe(telling)
  await pass(store.waiting)
  await telling
  expect(store.waiting).toHaveLength(1)
})

test('what others told need not be told to them', async () => {
  const store = createStore()
  const [one, other] = [createProcess(store.shared), createProcess(store.shared)]
  one.rise(5)
  const telling = one.exchange.told()
  await pass(store.waiting)
  await telling
  const asking = other.exchange.exchanged(0)
  await pass(store.waiting)
  await asking
  expect(other.state.height).toBe(5)
  expect(other.exchange.told()).toBeNull()
})

test('nobody waits for a store that is away, nor again for the same block', async () => {
  const { exchange, rise, state } = createProcess({
    exchange: () => Promise.resolve(null),
    close: () => undefined,
  })
  rise(1)
  await exchange.told()
  expect([state.height, exchange.told()]).toEqual([1, null])
})
