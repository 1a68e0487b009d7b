import { describe, expect, test } from 'bun:test'
import { assert, array, boolean, constantFrom, integer, nat, property, record } from 'fast-check'

import {
  decideTip,
  laterTip,
  type NodeHead,
  type Reported,
  reportedHead,
  type ServedTip,
} from './served-tip.ts'

const blockMs = 1_000

/** Nodes that report heads one after the other, and the tip that results. */
function chainOf(count: number, seen: Reported | null = null) {
  const nodes = Array.from({ length: count }, () => ({ head: null as NodeHead | null, isInUse: true }))
  let tip: ServedTip | null = null
  return {
    nodes,
    tip: () => tip,
    height: () => tip?.height ?? -1,
    report(index: number, height: number, now: number): number {
      const node = nodes[index % count]
      if (node === undefined) throw new RangeError(`there is no node ${index}`)
      node.head = reportedHead(node.head, height, now, blockMs)
      tip = decideTip(tip, nodes, now, blockMs, seen)
      return tip?.height ?? -1
    },
  }
}

const steps = array(record({ node: nat(4), behind: nat(60), afterMs: nat(3_000) }), {
  minLength: 1,
  maxLength: 60,
})

test('nodes that lag and jump about never make the tip go back, and it is always a block that one of them reported', () => {
  assert(
    property(integer({ min: 1, max: 5 }), steps, (count, reports) => {
      const chain = chainOf(count)
      let now = 0
      let before = -1
      const reported = new Set<number>()
      for (const { node, behind, afterMs } of reports) {
        now += afterMs
        // Whoever has reported a block keeps it: nodes fall behind, but none forgets.
        const known = chain.nodes[node % count]?.head?.height ?? 0
        const height = Math.max(known, 10_000 + Math.floor(now / blockMs) - behind)
        reported.add(height)
        const after = chain.report(node, height, now)
        expect(after).toBeGreaterThanOrEqual(before)
        expect(reported.has(after)).toBe(true)
        before = after
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a node behind a load balancer, which goes back by some blocks and returns, does not make the tip go back', () => {
  assert(
    property(steps, (reports) => {
      const chain = chainOf(3)
      let now = 0
      let before = -1
      for (const { node, behind, afterMs } of reports) {
        // At least every second somebody reports the newest block.
        now += afterMs % 1_000
        chain.report(0, 10_000 + Math.floor(now / blockMs), now)
        const after = chain.report(node, 10_000 + Math.floor(now / blockMs) - behind, now)
        expect(after).toBeGreaterThanOrEqual(before)
        before = after
      }
    }),
  )
})

test('one node that lies, among three or more, never lifts the tip beyond what the others can have reached', () => {
  const lies = array(record({ lie: nat(30_000_000), isLie: boolean(), node: nat(4) }), { maxLength: 60 })
  assert(
    property(integer({ min: 3, max: 5 }), lies, (count, reports) => {
      const chain = chainOf(count)
      let now = 0
      for (let node = 1; node < count; node++) chain.report(node, 10_000, now)
      for (const { lie, isLie, node } of reports) {
        now += 100
        const honest = 10_000 + Math.floor(now / blockMs)
        if (isLie) chain.report(0, honest + lie, now)
        else chain.report(1 + (node % (count - 1)), honest, now)
        // 64 blocks, and four times as many as were made since the others last reported.
        expect(chain.height()).toBeLessThanOrEqual(honest + 64 + 4 * 6)
      }
    }),
  )
})

describe('of two nodes', () => {
  test('one that leaps does not lift the tip, whatever it says next, and goes on once it is back', () => {
    const chain = chainOf(2)
    for (const node of [0, 1]) chain.report(node, 100, 0)
    for (let now = 1_000; now < 20_000; now += 1_000) {
      expect(chain.report(0, 30_000_000 + now, now)).toBeLessThan(200)
      expect(chain.report(1, 100 + now / blockMs, now)).toBe(100 + now / blockMs)
    }
    expect(chain.report(0, 121, 21_000)).toBe(121)
    expect(chain.tip()?.epoch).toBe(0)
  })

  test('a leap is believed once the other has made it, too, or time enough has passed', () => {
    const chain = chainOf(2)
    for (const node of [0, 1]) chain.report(node, 100, 0)
    expect(chain.report(0, 1_100, 1_000)).toBe(100)
    expect(chain.report(1, 1_099, 1_000)).toBe(1_100)
    const idle = chainOf(2)
    for (const node of [0, 1]) idle.report(node, 100, 0)
    expect(idle.report(0, 1_100, 1_000_000)).toBe(1_100)
  })

  test('one that was never near the tip is believed, since the other may be stuck', () => {
    const chain = chainOf(2)
    chain.report(0, 100, 0)
    expect(chain.report(1, 5_000, 10)).toBe(5_000)
    // It comes from far behind, and leads by a block: that is no leap beyond the tip.
    const late = chainOf(2)
    late.report(0, 5_000, 0)
    late.report(1, 100, 0)
    expect(late.report(1, 5_001, 1_000)).toBe(5_001)
  })

  test('the only one in use is believed', () => {
    const chain = chainOf(2)
    for (const node of [0, 1]) chain.report(node, 100, 0)
    const [, other] = chain.nodes
    if (other) other.isInUse = false
    expect(chain.report(0, 1_100, 1_000)).toBe(1_100)
  })
})

describe('where verifiers agree on a block of the chain', () => {
  const seen = { height: 100, at: 0 }

  test('a first report that is far beyond it is not believed, with however few nodes', () => {
    const chain = chainOf(2, seen)
    expect(chain.report(0, 30_000_000, 10)).toBe(-1)
    expect(chain.report(1, 101, 20)).toBe(101)
    expect(chain.report(0, 30_000_001, 30)).toBe(101)
    expect(chain.report(0, 102, 1_000)).toBe(102)
  })

  test('a tip that is far beyond it, since it was believed before, goes back', () => {
    const before = { height: 30_000_000, confirmedAt: 0, epoch: 0 }
    const nodes = [30_000_000, 101].map((height) => ({
      head: { height, peak: height, at: 0 },
      isInUse: true,
    }))
    expect(decideTip(before, nodes, 10, blockMs, seen)).toEqual({ height: 101, confirmedAt: 0, epoch: 1 })
  })

  test('verifiers that see late, or nothing any more, hold nobody up', () => {
    const chain = chainOf(2, seen)
    expect(chain.report(0, 160, 0)).toBe(160)
    expect(chain.report(0, 4_000, 1_000_000)).toBe(4_000)
  })
})

describe('the tip goes back', () => {
  test('when the first report was a lie, as soon as the majority contradicts it', () => {
    const chain = chainOf(3)
    chain.report(0, 30_000_000, 0)
    expect(chain.report(1, 100, 10)).toBe(30_000_000)
    expect(chain.report(2, 101, 20)).toBe(101)
    expect(chain.report(0, 30_000_001, 30)).toBe(101)
    expect(chain.tip()?.epoch).toBe(1)
  })

  test('when the one that had it goes back, and the others never come so far', () => {
    const chain = chainOf(3)
    for (const node of [0, 1, 2]) chain.report(node, 100 - node, 0)
    for (const node of [0, 1, 2]) expect(chain.report(node, 98, 500)).toBe(100)
    expect(chain.report(2, 98, 3_100)).toBe(98)
  })

  test('when the majority goes back and stays back: a re-organisation that leaves the chain shorter', () => {
    const chain = chainOf(3)
    for (const node of [0, 1, 2]) chain.report(node, 100, 0)
    for (const node of [0, 1, 2]) expect(chain.report(node, 98, 500)).toBe(100)
    expect(chain.report(0, 98, 2_900)).toBe(100)
    expect(chain.report(1, 99, 3_100)).toBe(99)
    expect(chain.tip()?.epoch).toBe(1)
  })

  test('not when a minority does, however long', () => {
    assert(
      property(constantFrom(3, 4, 5), nat(50), nat(100_000), (count, back, afterMs) => {
        const chain = chainOf(count)
        for (let node = 0; node < count; node++) chain.report(node, 100, 0)
        for (let node = 0; node < Math.floor(count / 2); node++) {
          expect(chain.report(node, 100 - back, afterMs)).toBe(100)
        }
      }),
    )
  })

  test('not when the node that was ahead is gone, and those that never had the block are behind', () => {
    const chain = chainOf(3)
    chain.report(0, 100, 0)
    const [ahead] = chain.nodes
    if (ahead) ahead.isInUse = false
    for (let now = 1_000; now < 60_000; now += 1_000) {
      expect(chain.report(1, 88, now)).toBe(100)
      expect(chain.report(2, 97, now)).toBe(100)
    }
  })
})

test('nodes that are not in use count only where no other does', () => {
  const chain = chainOf(2)
  for (const node of chain.nodes) node.isInUse = false
  expect(chain.report(0, 10, 0)).toBe(10)
  for (const node of chain.nodes.slice(1)) node.isInUse = true
  expect(chain.report(1, 12, 10)).toBe(12)
  expect(chain.report(0, 20, 20)).toBe(12)
})

const joined = (all: readonly ServedTip[]) => all.reduce<ServedTip | null>(laterTip, null)

test('processes that exchange their tips in any order end with the same one', () => {
  const tips = array(record({ height: nat(20), confirmedAt: nat(100), epoch: nat(2) }), {
    minLength: 1,
    maxLength: 8,
  })
  assert(
    property(tips, (all) => {
      expect(joined(all)).toEqual(joined(all.toReversed()))
      const last = joined(all)
      for (const tip of all) if (tip.epoch === last?.epoch) expect(last.height >= tip.height).toBe(true)
    }),
  )
})
