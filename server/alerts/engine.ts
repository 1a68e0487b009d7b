import type { DailySpan } from '../../shared/alert-times.ts'
import { secondMs } from '../../shared/durations.ts'
import type { Database } from '../platform/database.ts'
import { isFault } from '../platform/fault.ts'
import { randomId } from '../platform/ids.ts'
import { LeaseLost } from '../platform/leases/lease-store.ts'
import type { Log } from '../platform/log.ts'
import { createSerialRuns } from '../platform/serial-runs.ts'
import type { AlertStore, StoredChange } from './alert-store.ts'
import { noticeTitle } from './alert-event.ts'
import { type Composed, type Group, composeMessages } from './decide/compose-messages.ts'
import { countedMs } from './decide/conditions.ts'
import { type DecideInput, type Decided, decideAlerts } from './decide/decide.ts'
import { type OpenAlert, keyOf } from './decide/open-alert.ts'
import { type SlowFacts, noFacts } from './decide/watched.ts'
import type { OutboxStore } from './outbox/outbox-store.ts'
import { type ServiceSource, createWatchServices } from './watch-services.ts'

export interface EngineOptions {
  readonly store: AlertStore
  readonly outbox: OutboxStore
  /** Stores what was decided; rolled back where another process decides by now. */
  readonly transaction: Database['transaction']
  /** Whether this process decides. */
  readonly isDeciding: () => boolean
  /** What operators and the file say now. */
  readonly settings: () => Pick<DecideInput, 'rules' | 'silences' | 'windows' | 'channels' | 'expiring'> & {
    readonly quietHoursOf: (channel: string) => DailySpan | undefined
  }
  readonly services: ServiceSource
  /** The slow look at the rest, as far as these rules are about it. */
  readonly facts: (rules: DecideInput['rules']) => Promise<SlowFacts>
  /** Epoch ms of a steady clock. */
  readonly now: () => number
  readonly log: Log
  /** Messages may be due. */
  readonly stored: () => void
}

const tickMs = secondMs
const sweepEveryMs = 5 * secondMs
/** Changes that come together are told together: a round of evaluation takes about so long. */
const settleMs = 250

/**
 * Looks at each change of a decision once, and at everything every five seconds, in the one process that decides about health.
 * What it decides, the messages of it, and that the changes were looked at are stored in one transaction.
 */
export function createEngine(options: EngineOptions) {
  const { store, outbox, isDeciding, now, log } = options
  const watched = createWatchServices(options.services)
  let isLoaded = false
  let alerts: ReadonlyMap<string, OpenAlert> = new Map()
  let groups: ReadonlyMap<string, Group> = new Map()
  let facts: SlowFacts = noFacts
  /** What was decided and is not known to be stored, nor not to be: its transaction may be committing still. */
  let unconfirmed: Step | null = null
  let sweepAt = Number.NEGATIVE_INFINITY
  let ticking: Timer | undefined
  let settling: Timer | null = null

  async function load(): Promise<void> {
    const [open, gathering] = await Promise.all([store.open(), outbox.gathering()])
    alerts = new Map(open.map((alert) => [keyOf(alert.rule, alert.finding.subject), alert]))
    groups = new Map(
      gathering.map(({ id, channel, closesAt }) => [
        channel,
        { openUntil: closesAt, gathering: { id, closesAt } },
      ]),
    )
    await watched.load(now() - countedMs(options.settings().rules))
    sweepAt = Number.NEGATIVE_INFINITY
    isLoaded = true
  }

  /** Decides about these services (null: about everything), and stores that these changes were looked at. */
  async function step(only: ReadonlySet<string> | null, changes: readonly StoredChange[]): Promise<void> {
    const settings = options.settings()
    const at = now()
    const seen = { now: at, services: watched.all(), facts }
    const decided = decideAlerts(alerts, { ...settings, ...seen, only, newId: () => randomId('alert') })
    const composed = composeMessages(decided.told, {
      now: at,
      groups,
      alerts: decided.alerts,
      quietHoursOf: settings.quietHoursOf,
      newId: () => randomId('msg'),
    })
    await take({ before: alerts, decided, composed, changes, at })
  }

  /** Stores a step, and takes it into memory once it is. */
  async function take(taken: Step): Promise<void> {
    unconfirmed = taken
    await save(options, taken)
    unconfirmed = null
    alerts = taken.composed.alerts
    groups = taken.composed.groups
  }

  async function sweep(): Promise<void> {
    sweepAt = now() + sweepEveryMs
    await watched.refresh()
    facts = await options.facts(options.settings().rules)
    if (alerts.size > 0) alerts = withAcknowledged(alerts, await store.acknowledged())
    await step(null, [])
  }

  async function look(): Promise<void> {
    if (!isDeciding()) {
      isLoaded = false
      unconfirmed = null
      return
    }
    // Decided anew it would have other ids, and be told twice where it was stored after all.
    if (unconfirmed !== null) await take(unconfirmed)
    if (!isLoaded) await load()
    for (;;) {
      const changes = await store.changes()
      for (const part of eachServiceOnce(changes)) {
        await watched.take(part)
        await step(new Set(part.map(({ serviceId }) => serviceId)), part)
      }
      if (changes.length === 0) break
    }
    const leftMs = sweepAt - now()
    // Longer than ever agreed on: the clock was set back.
    if (leftMs <= 0 || leftMs > sweepEveryMs) await sweep()
    else if (alerts.size > 0 || groups.size > 0) await step(new Set(), [])
  }

  const { run, settled } = createSerialRuns(async () => {
    try {
      await look()
    } catch (error) {
      // An unavailable database may have stored the step nevertheless. Otherwise what is in memory may not be what is stored.
      if (!isFault(error, 'unavailable')) unconfirmed = null
      isLoaded = unconfirmed !== null
      if (!(error instanceof LeaseLost))
        log.warn('alerts could not be decided; it will be tried again', { error })
    }
  })

  return {
    /** Looks soon, because something changed. */
    wake(): void {
      settling ??= setTimeout(() => {
        settling = null
        void run()
      }, settleMs)
    },
    /** Looks now at everything, because rules or channels changed. */
    async refresh(): Promise<void> {
      sweepAt = Number.NEGATIVE_INFINITY
      await run()
    },
    /** What is open in this process's memory, which only the deciding one has. */
    seen: () => ({ now: now(), services: watched.all(), facts }),
    start(): void {
      ticking = setInterval(() => void run(), tickMs)
    },
    async stop(): Promise<void> {
      clearInterval(ticking)
      if (settling !== null) clearTimeout(settling)
      await settled()
    },
  }
}

/** Acknowledgements are written by the process that is asked, and read here. */
function withAcknowledged(
  alerts: ReadonlyMap<string, OpenAlert>,
  acknowledged: ReadonlyMap<string, NonNullable<OpenAlert['acknowledged']>>,
): ReadonlyMap<string, OpenAlert> {
  if (acknowledged.size === 0) return alerts
  return new Map(
    [...alerts].map(([key, alert]) => {
      const by = acknowledged.get(alert.id) ?? null
      return [key, by === null || alert.acknowledged !== null ? alert : { ...alert, acknowledged: by }]
    }),
  )
}

/** Divides changes into parts in which each service is at most once: each change is looked at, also one that did not last. */
export function* eachServiceOnce<Change extends { readonly serviceId: string }>(
  changes: readonly Change[],
): Generator<Change[]> {
  let part: Change[] = []
  const taken = new Set<string>()
  for (const change of changes) {
    if (taken.has(change.serviceId)) {
      yield part
      part = []
      taken.clear()
    }
    taken.add(change.serviceId)
    part.push(change)
  }
  if (part.length > 0) yield part
}

interface Step {
  readonly before: ReadonlyMap<string, OpenAlert>
  readonly decided: Decided
  readonly composed: Composed
  readonly changes: readonly StoredChange[]
  readonly at: number
}

/** Stores a step as a whole, or nothing of it. One that was stored already is stored once. */
async function save({ transaction, store, outbox, stored }: EngineOptions, step: Step): Promise<void> {
  const { before, decided, composed, changes, at } = step
  const saved = [...composed.alerts].flatMap(([key, alert]) =>
    alert.phase === 'pending' || before.get(key) === alert ? [] : [alert],
  )
  const forgotten = [...before].flatMap(([key, alert]) =>
    alert.phase === 'covered' && !composed.alerts.has(key) ? [alert.id] : [],
  )
  const { inserts, appends, closes } = composed
  const isNothing = [saved, forgotten, decided.ended, inserts, appends, closes, changes].every(
    ({ length }) => length === 0,
  )
  if (isNothing) return
  await transaction(async (sql) => {
    await store.save(sql, saved)
    await store.end(sql, decided.ended, forgotten, at)
    for (const id of closes) await outbox.close(sql, id, noticeTitle, at)
    for (const { id, ...added } of appends) {
      if (!(await outbox.append(sql, id, added))) throw new Error(`the message ${id} gathers no more`)
    }
    await outbox.insert(sql, inserts)
    await store.removeChanges(
      sql,
      changes.map(({ seq }) => seq),
    )
  }, 30_000)
  if (inserts.length > 0 || closes.length > 0) stored()
}
