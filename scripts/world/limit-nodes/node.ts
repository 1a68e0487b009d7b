/** One process that shares limits with others and asks for much more than they allow. Ends when its input ends. */
import { createSharedLimits } from '../../../server/limits/shared-store/shared-limits.ts'
import { seededRandom } from '../../../server/limits/test-support/arrivals.ts'
import { silentLog } from '../database.ts'
import { createDecisionFile } from './decision-file.ts'
import { createCommonClock } from './common-clock.ts'
import type { NodeOrder, NodeSummary } from './order.ts'

const order: NodeOrder = JSON.parse(process.argv[2] ?? '')
const clock = createCommonClock()
const random = seededRandom(order.seed)
const log = createDecisionFile(order.logPath)
const limits = createSharedLimits({
  store: { url: order.url, prefix: 'gatehouse:test' },
  clock,
  log: silentLog,
  whenStoreLost: order.whenStoreLost,
  maxKeys: 100,
})
const summary: NodeSummary = {
  asked: 0,
  admitted: 0,
  refused: 0,
  unavailable: 0,
  waited: 0,
  longestWaitMs: 0,
}

async function ask(key: number): Promise<void> {
  const { rate, credits, cost, further = [] } = order.keys[key] ?? { rate: null, credits: null, cost: 0 }
  const askedAt = clock.monotonic()
  summary.asked++
  const answer = limits.admit({ keyId: `key-${key}`, rate, credits, further, calls: 1, cost })
  if (answer instanceof Promise) summary.waited++
  const admission = await answer
  summary.longestWaitMs = Math.max(summary.longestWaitMs, clock.monotonic() - askedAt)
  if (admission.kind === 'oversized') throw new Error('a call is oversized')
  summary[admission.kind]++
  if (admission.kind === 'admitted') log({ at: admission.admittedAt, key, calls: 1, credits: cost })
}

/** Rests and bursts in turn: what is leased in a burst may be spent as late as a lease lasts. */
let isBurst = false
let turnAt = clock.monotonic()
let lastAt = turnAt
let due = 0

const timer = setInterval(() => {
  const now = clock.monotonic()
  if (now >= turnAt) {
    isBurst = !isBurst
    turnAt = now + random() * 30
  }
  const callsPerMs = (order.callsPerSecond / 1_000) * (isBurst ? 1.8 : 0.2)
  due += Math.min(now - lastAt, 50) * callsPerMs
  lastAt = now
  for (; due >= 1; due--) void ask(summary.asked % order.keys.length)
}, 1)

for await (const _ of Bun.stdin.stream()) {
  // Nobody writes: the end of the input is what is waited for.
}
clearInterval(timer)
limits.close()
process.stdout.write(`${JSON.stringify(summary)}\n`)
process.exit(0)
