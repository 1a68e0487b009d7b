import type { BudgetUse, UpstreamBudget } from '../../../shared/upstream-budget.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { randomId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { createPeriodicJob } from '../../platform/periodic-job.ts'
import { type Budget, CountedBudget, LearnedBudget } from './budget.ts'
import { createBudgetStore, type SpentBatch, type SpentUnits } from './store.ts'

/** An upstream of an endpoint, with what it may be asked. */
interface BudgetedUpstream {
  readonly identity: string
  readonly budget: UpstreamBudget | null
}

/** The budgets of all upstreams. */
export interface UpstreamBudgets {
  /** Returns null for an upstream without one. The same budget is the same object, also after other changes. */
  of(endpoint: string, upstream: BudgetedUpstream): Budget | null
  /** Returns how far the budget of an upstream is used; null without one that was ever asked for. */
  use(endpoint: string, identity: string): BudgetUse | null
  /** Writes what was spent since, and stops. */
  stop(): Promise<void>
}

interface KnownBudget {
  readonly endpoint: string
  readonly upstream: string
  readonly budget: CountedBudget | LearnedBudget
}

/** What is to be written of a budget. */
interface Unwritten extends SpentUnits {
  readonly budget: CountedBudget
}

/** What is spent is written this often: a process that is killed forgets no more, and others learn of it as soon. */
const writeEveryMs = 1_000
/** What only others spend is read at every so many writes. */
const readEvery = 5
const keepMs = 40 * 86_400_000

export async function openUpstreamBudgets({
  database,
  clock,
  log,
}: {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}): Promise<UpstreamBudgets> {
  const store = createBudgetStore(database)
  const stored = await store.load(Math.floor(clock.now() - keepMs))
  const writer = randomId('writer')
  let runs = 0
  /** The batch of which it is not known that it was added. */
  let unsettled: SpentBatch<Unwritten> | null = null
  const known = new Map<string, KnownBudget>()

  function create(endpoint: string, upstream: string, made: UpstreamBudget): KnownBudget {
    const budget = made === 'auto' ? new LearnedBudget() : new CountedBudget(made)
    if (budget instanceof CountedBudget) {
      const { from } = budget.unwritten(clock.now())
      const before = stored.find((each) => isOf(each, endpoint, upstream, budget.unit, from))
      if (before !== undefined) budget.written(from, 0, before.units)
    }
    return { endpoint, upstream, budget }
  }

  function nextBatch(): SpentBatch<Unwritten> {
    const counted = [...known.values()].flatMap(({ endpoint, upstream, budget }) =>
      budget instanceof CountedBudget
        ? [{ endpoint, upstream, budget, unit: budget.unit, ...budget.unwritten(clock.now()) }]
        : [],
    )
    runs++
    const spent = counted.filter(({ units }) => units > 0 || runs % readEvery === 0)
    return { writer, number: runs, spent }
  }

  async function settle(batch: SpentBatch<Unwritten>): Promise<void> {
    unsettled = batch
    for (const { endpoint, upstream, unit, from, units } of await store.add(batch)) {
      const one = batch.spent.find((each) => isOf(each, endpoint, upstream, unit, from))
      one?.budget.written(from, one.units, units)
    }
    unsettled = null
  }

  /** A statement whose answer did not come may be carried out later: what it adds is kept apart from what is spent since. */
  async function write(): Promise<void> {
    if (unsettled !== null) await settle(unsettled)
    const batch = nextBatch()
    if (batch.spent.length > 0) await settle(batch)
  }

  const job = createPeriodicJob(writeEveryMs, write, (error) =>
    log.warn('what was spent of the budgets of upstreams could not be written; it is written later', {
      error,
    }),
  )
  job.start()

  return {
    of(endpoint, { identity, budget: made }) {
      const key = keyOf(endpoint, identity)
      if (made === null) return null
      const before = known.get(key)
      if (before !== undefined && isStill(before, made)) return before.budget
      const now = create(endpoint, identity, made)
      known.set(key, now)
      return now.budget
    },
    use: (endpoint, identity) => known.get(keyOf(endpoint, identity))?.budget.use(clock.now()) ?? null,
    async stop() {
      await job.stop()
      await write().catch((error: unknown) => log.warn('the last use of budgets was not written', { error }))
    },
  }
}

const keyOf = (endpoint: string, upstream: string): string => `${endpoint}\n${upstream}`

const isStill = ({ budget }: KnownBudget, made: UpstreamBudget): boolean =>
  budget instanceof CountedBudget ? made !== 'auto' && budget.change(made) : made === 'auto'

const isOf = (
  each: Omit<SpentUnits, 'units'>,
  endpoint: string,
  upstream: string,
  unit: string,
  from: number,
): boolean =>
  each.endpoint === endpoint && each.upstream === upstream && each.unit === unit && each.from === from
