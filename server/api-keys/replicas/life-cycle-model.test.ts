import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import type { Database } from '../../platform/database.ts'
import { type HandClock, author, connectTo, handClock } from '../../keys/test-support/key-world.ts'
import { type KeyNode, keyInput, keyNode, plainUse } from '../test-support/key-nodes.ts'
import { hourMs } from '../../../shared/durations.ts'

/** The life of keys as the specification tells it, against two processes whose clock only the test moves. */

interface ModelKey {
  id: string
  isEnabled: boolean
  expiresAt: number | null
  values: { value: string; endsAt: number | null }[]
}

interface Model {
  keys: ModelKey[]
  deleted: string[]
  now: number
}

interface Real {
  nodes: readonly KeyNode[]
  clock: HandClock
}

type Step = fc.AsyncCommand<Model, Real>

const anna = author('acc_anna')

const nodeOf = ({ nodes }: Real, at: number) => {
  const node = nodes[at % nodes.length]
  if (node === undefined) throw new Error('no node')
  return node.apiKeys
}

/** A command on one of the keys that there are, told by a number. */
function onKey(
  name: string,
  pick: number,
  run: (key: ModelKey, model: Model, real: Real) => Promise<void>,
): Step {
  return {
    check: ({ keys }) => keys.length > 0,
    async run(model, real) {
      const key = model.keys[pick % model.keys.length]
      if (key !== undefined) await run(key, model, real)
    },
    toString: () => `${name}(${pick})`,
  }
}

const create = (at: number, lifeMs: number | null): Step => ({
  check: () => true,
  async run(model, real) {
    const expiresAt = lifeMs === null ? null : model.now + lifeMs
    const { key, value, propagated } = await nodeOf(real, at).create(anna, keyInput({ expiresAt }))
    expect(propagated).toBe(true)
    model.keys.push({ id: key.id, isEnabled: true, expiresAt, values: [{ value, endsAt: null }] })
  },
  toString: () => `create(${at}, ${lifeMs})`,
})

const toggle = (at: number, pick: number, isEnabled: boolean): Step =>
  onKey(`toggle ${isEnabled} on ${at}`, pick, async (key, _model, real) => {
    const { propagated, key: view } = await nodeOf(real, at).setEnabled(anna, key.id, isEnabled)
    expect([propagated, view.isEnabled]).toEqual([true, isEnabled])
    key.isEnabled = isEnabled
  })

const rotate = (at: number, pick: number, overlapMs: number): Step =>
  onKey(`rotate ${overlapMs} on ${at}`, pick, async (key, model, real) => {
    const { value } = await nodeOf(real, at).rotate(anna, key.id, overlapMs)
    const newest = key.values.at(-1)
    for (const older of key.values)
      older.endsAt = older === newest ? model.now + overlapMs : Number.NEGATIVE_INFINITY
    key.values.push({ value, endsAt: null })
  })

const remove = (at: number, pick: number): Step =>
  onKey(`remove on ${at}`, pick, async (key, model, real) => {
    expect(await nodeOf(real, at).delete(anna, key.id)).toEqual({ propagated: true })
    model.keys.splice(model.keys.indexOf(key), 1)
    model.deleted.push(...key.values.map(({ value }) => value))
  })

const pass = (ms: number): Step => ({
  check: () => true,
  async run(model, { clock }) {
    clock.at += ms
    model.now += ms
  },
  toString: () => `pass(${ms})`,
})

/** Every value that ever was, on every process. */
const useAll: Step = {
  check: () => true,
  async run({ keys, deleted, now }, { nodes }) {
    const hasEnded = (end: number | null): boolean => end !== null && end <= now
    for (const { apiKeys } of nodes) {
      for (const key of keys) {
        for (const { value, endsAt } of key.values) {
          const isGood = key.isEnabled && !hasEnded(key.expiresAt) && !hasEnded(endsAt)
          expect((await apiKeys.authorize(value, plainUse)).kind).toBe(isGood ? 'allowed' : 'invalid')
        }
      }
      for (const value of deleted) expect((await apiKeys.authorize(value, plainUse)).kind).toBe('invalid')
    }
  },
  toString: () => 'useAll',
}

let own: TestDatabase
let second: Database

beforeAll(async () => {
  own = await testDatabase()
  second = await connectTo(own.url)
})

afterAll(async () => {
  await second.close()
  await own.drop()
})

test('whatever happens to keys, both processes accept exactly those that are good', async () => {
  const node = fc.nat({ max: 1 })
  const pick = fc.nat({ max: 9 })
  const short = fc.constantFrom(1, 2, hourMs)
  const steps = [
    fc.tuple(node, fc.option(short)).map(([at, lifeMs]) => create(at, lifeMs)),
    fc.tuple(node, pick, fc.boolean()).map((args) => toggle(...args)),
    fc.tuple(node, pick, fc.constantFrom(0, 1, hourMs)).map((args) => rotate(...args)),
    fc.tuple(node, pick).map((args) => remove(...args)),
    fc.constantFrom(1, 1, hourMs).map(pass),
    fc.constant(useAll),
  ]
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: 'max' }), async (commands) => {
      const clock = handClock()
      const nodes = await Promise.all([own.database, second].map((database) => keyNode(database, { clock })))
      try {
        await fc.asyncModelRun(
          () => ({ model: { keys: [], deleted: [], now: clock.at }, real: { nodes, clock } }),
          [...commands, useAll],
        )
      } finally {
        for (const { apiKeys } of nodes) await apiKeys.stop()
      }
    }),
    { numRuns: 80, endOnFailure: true },
  )
}, 60_000)
