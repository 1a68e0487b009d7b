import { expect, test } from 'bun:test'
import fc from 'fast-check'

import type { Limit } from '../../shared/limits.ts'
import { periodMs } from '../../shared/periods.ts'
import { createLocalLimits } from './local.ts'
import { createMemoryWindowStorage } from './window/window-storage.ts'

interface Step {
  readonly gapMs: number
  readonly key: number
  readonly calls: number
  readonly cost: number
}

interface GivenLimits {
  /** Of each key. */
  readonly own: Limit
  /** Of all keys together. */
  readonly rate: Limit
  readonly credits: Limit
}

/** Remembers every call, and adds them up for each decision. */
function createModel({ own, rate, credits }: GivenLimits) {
  const admitted: (Step & { readonly at: number })[] = []
  const sum = (of: 'calls' | 'cost', { period }: Limit, now: number, key: number | null): number =>
    admitted
      .filter((call) => call.at >= now - periodMs[period] && (key ?? call.key) === call.key)
      .reduce((total, call) => total + call[of], 0)
  return {
    fits: ({ key, calls, cost }: Step, now: number): boolean =>
      sum('calls', own, now, key) + calls <= own.units &&
      sum('calls', rate, now, null) + calls <= rate.units &&
      sum('cost', credits, now, null) + cost <= credits.units,
    add: (step: Step, at: number) => void admitted.push({ ...step, at }),
    use: (now: number) => ({
      rateUsed: sum('calls', rate, now, null),
      creditsUsed: sum('cost', credits, now, null),
    }),
  }
}

const limit = fc.record({
  units: fc.integer({ min: 1, max: 12 }),
  period: fc.constantFrom('second', 'minute'),
}) as fc.Arbitrary<Limit>
const step: fc.Arbitrary<Step> = fc.record({
  gapMs: fc.constantFrom(0, 1, 400, 1_000, 1_001, 20_000, 60_001),
  key: fc.nat(2),
  calls: fc.integer({ min: 1, max: 3 }),
  cost: fc.nat(5),
})

function decides(limits: GivenLimits, steps: readonly Step[]): void {
  const { own, rate, credits } = limits
  const time = { ms: 0 }
  const clock = { now: () => 0, monotonic: () => time.ms }
  const counted = createLocalLimits({ clock, storage: createMemoryWindowStorage(100_000) })
  const model = createModel(limits)
  const further = [{ id: 'acc', scope: 'account', rate, credits }] as const
  const ask = ({ key, calls, cost }: Step) =>
    counted.admit({ keyId: `key-${key}`, rate: own, credits: null, further, calls, cost })
  for (const asked of steps) {
    time.ms += asked.gapMs
    const decision = ask(asked)
    expect(decision.kind === 'admitted').toBe(model.fits(asked, time.ms))
    if (decision.kind === 'admitted') model.add(asked, time.ms)
    expect(counted.peek('acc', rate, credits)).toEqual(model.use(time.ms))
    if (decision.kind !== 'refused') continue
    time.ms += decision.retryAfterMs - 1
    expect(ask(asked).kind).toBe('refused')
    time.ms += 1
    expect(ask(asked).kind).toBe('admitted')
    model.add(asked, time.ms)
  }
}

test('with limits of keys and of their account, decisions are those of a model, and every wait is true', () => {
  const given = fc.record({ own: limit, rate: limit, credits: limit })
  fc.assert(fc.property(given, fc.array(step, { minLength: 10, maxLength: 60 }), decides))
})
