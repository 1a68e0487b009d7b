import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import type { Limit } from '../../shared/limits.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import type { Database } from '../platform/database.ts'
import { type HandClock, author, connectTo, handClock } from '../keys/test-support/key-world.ts'
import { type QueryKeyNode, keyForm, plainCaller, queryKeyNode } from './test-support/query-key-nodes.ts'
import { hourMs } from '../../shared/durations.ts'

/** The life of query keys against two processes whose clock only the test moves. */

interface ModelKey {
  id: string
  isEnabled: boolean
  endpoint: string
  rate: Limit | null
  expiresAt: number | null
  values: { value: string; endsAt: number | null }[]
}

interface Model {
  keys: ModelKey[]
  deleted: string[]
  now: number
}

interface Real {
  nodes: readonly QueryKeyNode[]
  clock: HandClock
}

type Step = fc.AsyncCommand<Model, Real>

const anna = author('acc_anna')
const endpoints = ['mainnet', 'testnet'] as const

const nodeOf = ({ nodes }: Real, at: number) => {
  const node = nodes[at % nodes.length]
  if (node === undefined) throw new Error('no node')
  return node.queryKeys
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

const formFor = (endpoint: string) => keyForm({ endpoint, rateLimit: 7, rateLimitPeriod: 'hour' })

/** All of them or none: with an endpoint that nobody knows among them, none. */
const createAll = (at: number, wanted: readonly string[]): Step => ({
  check: () => true,
  async run(model, real) {
    const creating = nodeOf(real, at).createAll(anna, wanted.map(formFor), null)
    if (wanted.includes('moon')) {
      await expect(creating).rejects.toThrow('.endpoint: expected one of')
      return
    }
    for (const { id, key, endpoint } of await creating) {
      const rate = { units: 7, period: 'hour' } as const
      const values = [{ value: key, endsAt: null }]
      model.keys.push({ id, isEnabled: true, endpoint, rate, expiresAt: null, values })
    }
  },
  toString: () => `createAll(${at}, ${wanted.join(' ')})`,
})

const create = (at: number, lifeMs: number): Step => ({
  check: () => true,
  async run(model, real) {
    const expiresAt = model.now + lifeMs
    const { key, value } = await nodeOf(real, at).create(anna, keyForm({ expiresAt }))
    const values = [{ value, endsAt: null }]
    model.keys.push({ id: key.id, isEnabled: true, endpoint: 'testnet', rate: null, expiresAt, values })
  },
  toString: () => `create(${at}, ${lifeMs})`,
})

const limit = (at: number, pick: number, units: number): Step =>
  onKey(`limit ${units} on ${at}`, pick, async (key, _model, real) => {
    const { endpoint: _endpoint, ...form } = keyForm()
    const edit = { ...form, expiresAt: key.expiresAt }
    await nodeOf(real, at).update(anna, key.id, { ...edit, rateLimit: units, rateLimitPeriod: 'day' })
    key.rate = { units, period: 'day' }
  })

const toggle = (at: number, pick: number, isEnabled: boolean): Step =>
  onKey(`toggle ${isEnabled} on ${at}`, pick, async (key, _model, real) => {
    expect((await nodeOf(real, at).setEnabled(anna, key.id, isEnabled)).propagated).toBe(true)
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

/** Every value that ever was, at every endpoint, on every process. */
const useAll: Step = {
  check: () => true,
  async run({ keys, deleted, now }, { nodes }) {
    const hasEnded = (end: number | null): boolean => end !== null && end <= now
    for (const { queryKeys } of nodes) {
      for (const endpoint of endpoints) {
        for (const key of keys) {
          for (const { value, endsAt } of key.values) {
            const isGood =
              key.isEnabled && key.endpoint === endpoint && !hasEnded(key.expiresAt) && !hasEnded(endsAt)
            const verdict = await queryKeys.authorize(value, endpoint, plainCaller)
            expect(verdict.kind).toBe(isGood ? 'allowed' : 'invalid')
            if (verdict.kind === 'allowed') expect(verdict.key.rate).toEqual(key.rate)
          }
        }
        for (const value of deleted)
          expect((await queryKeys.authorize(value, endpoint, plainCaller)).kind).toBe('invalid')
      }
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

test.each([
  ['all keys', 50_000],
  ['few of them', 4],
])(
  'whatever happens to query keys, two processes with %s in memory accept exactly those that are good',
  async (_, mostInMemory) => {
    const node = fc.nat({ max: 1 })
    const pick = fc.nat({ max: 9 })
    const wanted = fc.array(fc.constantFrom(...endpoints, ...endpoints, 'moon'), {
      minLength: 1,
      maxLength: 3,
    })
    const steps = [
      fc.tuple(node, wanted).map((args) => createAll(...args)),
      fc.tuple(node, fc.constantFrom(1, 2, hourMs)).map((args) => create(...args)),
      fc.tuple(node, pick, fc.integer({ min: 1, max: 9 })).map((args) => limit(...args)),
      fc.tuple(node, pick, fc.boolean()).map((args) => toggle(...args)),
      fc.tuple(node, pick, fc.constantFrom(0, 1, hourMs)).map((args) => rotate(...args)),
      fc.tuple(node, pick).map((args) => remove(...args)),
      fc.constantFrom(1, 1, hourMs).map(pass),
      fc.constant(useAll),
    ]
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 50, size: 'max' }), async (commands) => {
        const clock = handClock()
        const nodes = await Promise.all(
          [own.database, second].map((database) => queryKeyNode(database, { clock, mostInMemory })),
        )
        try {
          await fc.asyncModelRun(
            () => ({ model: { keys: [], deleted: [], now: clock.at }, real: { nodes, clock } }),
            [...commands, useAll],
          )
        } finally {
          for (const { queryKeys } of nodes) await queryKeys.stop()
        }
      }),
      { numRuns: 20, endOnFailure: true },
    )
  },
  60_000,
)
