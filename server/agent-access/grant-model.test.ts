import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { handClock, connectTo } from '../keys/test-support/key-world.ts'
import type { Database } from '../platform/database.ts'
import { type AgentNode, agentNode, codeForm } from './test-support/agent-node.ts'

/** Whatever is done to a grant at two processes, and whenever: at most one refresh token of it is good for something new. */

let own: TestDatabase
let second: Database
let nodes: readonly [AgentNode, AgentNode]
let clientId: string
const processClock = { ...handClock(), monotonic: () => processClock.at }

beforeAll(async () => {
  own = await testDatabase()
  second = await connectTo(own.url)
  nodes = [await agentNode(own.database, { processClock }), await agentNode(second, { processClock })]
  clientId = (await nodes[0].register()).client_id
})

afterAll(async () => {
  for (const node of nodes) await node.stop()
  await second.close()
  await own.drop()
})

const day = 86_400

/** In seconds; no sum of them lies near the leeway, the memory of used tokens or the life of unused ones. */
const steps = [50, 130, 8 * day, 31 * day] as const

type Action =
  | { readonly kind: 'refresh'; readonly token: number; readonly at: 0 | 1; readonly times: number }
  | { readonly kind: 'code'; readonly at: 0 | 1 }
  | { readonly kind: 'revoke'; readonly at: 0 | 1 }
  | { readonly kind: 'clock'; readonly seconds: number }

const at = fc.constantFrom(0 as const, 1 as const)
const refresh = fc.record({
  kind: fc.constant('refresh' as const),
  token: fc.nat({ max: 9 }),
  at,
  times: fc.constantFrom(1, 1, 4),
})
const clock = fc.record({ kind: fc.constant('clock' as const), seconds: fc.constantFrom(...steps) })
const end = fc.oneof(
  fc.record({ kind: fc.constant('code' as const), at }),
  fc.record({ kind: fc.constant('revoke' as const), at }),
)
const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof({ weight: 8, arbitrary: refresh }, { weight: 3, arbitrary: clock }, { weight: 1, arbitrary: end }),
  { minLength: 1, maxLength: 14 },
)

/** What the design says of a grant, in its own clock. */
class Model {
  now = 0
  isAlive = true
  readonly tokens: { value: string; issuedAt: number; usedAt: number | null; next: number | null }[] = []

  issued(value: string): number {
    const known = this.tokens.findIndex((token) => token.value === value)
    return known === -1
      ? this.tokens.push({ value, issuedAt: this.now, usedAt: null, next: null }) - 1
      : known
  }

  /** Whether the token is in the database and not over. */
  isKnown(place: number): boolean {
    const token = this.tokens[place]
    if (token === undefined || this.now - token.issuedAt >= 30 * day) return false
    return token.usedAt === null || this.now - token.usedAt < 7 * day
  }

  living = (): number =>
    this.isAlive
      ? this.tokens.filter(({ usedAt }, place) => usedAt === null && this.isKnown(place)).length
      : 0

  /** What becomes of a token that is shown; `issued` with a new successor, or with the one that it has. */
  refresh(place: number): 'refused' | 'ended' | 'issued' {
    const token = this.tokens[place]
    if (token === undefined || !this.isAlive || !this.isKnown(place)) return 'refused'
    if (token.usedAt !== null) {
      const isNextUsed = token.next !== null && this.tokens[token.next]?.usedAt !== null
      if (this.now - token.usedAt > 120 || isNextUsed) {
        this.isAlive = false
        return 'ended'
      }
    }
    token.usedAt ??= this.now
    return 'issued'
  }
}

/** What the database knows of one grant. */
async function livingIn(grantId: string): Promise<number> {
  const [row] = await own.database.run(
    (sql) => sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM agent_tokens t JOIN agent_grants g ON g.id = t.grant_id
      WHERE g.id = ${grantId} AND t.kind = 'refresh' AND t.used_at IS NULL AND t.expires_at > now()
        AND g.revoked_at IS NULL AND g.expires_at > now()`,
  )
  return row?.count ?? 0
}

/** Moves a grant back in time, which is as if the clock of the database went on. */
async function pass(grantId: string, seconds: number): Promise<void> {
  await own.database.transaction(async (sql) => {
    await sql`
      UPDATE agent_tokens SET used_at = used_at - make_interval(secs => ${seconds}),
        expires_at = expires_at - make_interval(secs => ${seconds}) WHERE grant_id = ${grantId}`
    await sql`
      UPDATE agent_grants SET expires_at = expires_at - make_interval(secs => ${seconds}) WHERE id = ${grantId}`
  })
}

async function run(given: readonly Action[]): Promise<void> {
  processClock.at += 120_000 // whoever is refused often has to wait
  const form = await codeForm(nodes[0], clientId)
  const first = await nodes[0].token(form)
  const [row] = await own.database.run(
    (sql) => sql<{ id: string }[]>`SELECT id FROM agent_grants ORDER BY created_at DESC LIMIT 1`,
  )
  const grantId = row?.id ?? ''
  const model = new Model()
  model.issued(first.refresh_token)
  const show = (place: number, node: number) =>
    nodes[node === 0 ? 0 : 1].token({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: model.tokens[place]?.value ?? '',
    })

  for (const action of given) {
    if (action.kind === 'clock') {
      model.now += action.seconds
      await pass(grantId, action.seconds)
    } else if (action.kind === 'revoke') {
      model.isAlive = false
      await nodes[action.at].access.end({ accountId: null, id: grantId, why: 'operator' }, null)
    } else if (action.kind === 'code') {
      model.isAlive = false
      expect((await nodes[action.at].token(form)).error).toBe('invalid_grant')
    } else {
      const place = action.token % model.tokens.length
      const replies = await Promise.all(
        Array.from({ length: action.times }, (_, time) => show(place, action.at + (time % 2))),
      )
      const expected = Array.from({ length: action.times }, () => model.refresh(place))
      expect(replies.map(({ status }) => (status === 200 ? 'issued' : 'refused'))).toEqual(
        expected.map((outcome) => (outcome === 'issued' ? 'issued' : 'refused')),
      )
      const successors = new Set(
        replies.filter(({ status }) => status === 200).map((one) => one.refresh_token),
      )
      expect(successors.size).toBeLessThanOrEqual(1)
      for (const value of successors) {
        const token = model.tokens[place]
        const next = model.issued(value)
        if (token !== undefined) expect((token.next ??= next)).toBe(next)
      }
    }
    const living = await livingIn(grantId)
    expect(living).toBeLessThanOrEqual(1)
    expect(living).toBe(model.living())
  }
}

test('a grant at two processes does what its model says, and never has two living successors', async () => {
  await fc.assert(fc.asyncProperty(actions, run), { numRuns: 30 })
}, 60_000)
