import type { Database } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createSerialRuns } from '../../platform/serial-runs.ts'
import { type CountedTables, tableOf } from '../table-names.ts'
import { type AttemptStore, createAttemptStore } from '../attempt-store.ts'
import { createAttemptCounts } from '../counting/attempt-counts.ts'
import type { Meter } from '../counting/meter.ts'

/** Sums up what was sent upstream, and writes it. */
export interface AttemptWriter {
  readonly store: AttemptStore
  /** Writes what was noted before the call; one write at a time. */
  readonly write: () => Promise<void>
}

interface AttemptWriterOptions {
  readonly database: Database
  readonly tables: CountedTables
  readonly metrics: Metrics
  readonly meter: Pick<Meter, 'takeAttempts'>
  /** The id of this start of the process. */
  readonly writer: string
  readonly currentMinute: () => number
}

const rowsPerWrite = 5_000

export function createAttemptWriter(options: AttemptWriterOptions): AttemptWriter {
  const { database, tables, metrics, meter, writer, currentMinute } = options
  const store = createAttemptStore(database, tables)
  const skipped = metrics.counter(
    `${tableOf(tables, 'attempts')}_skipped_total`,
    'Requests to upstreams that statistics of upstreams leave out, because there are too many of them',
  )
  const counts = createAttemptCounts(currentMinute, (attempts) => skipped.add({}, attempts))
  const runs = createSerialRuns(async () => {
    counts.add(meter.takeAttempts())
    const changed = counts.changed()
    for (let from = 0; from < changed.length; from += rowsPerWrite)
      await store.write(writer, changed.slice(from, from + rowsPerWrite))
    counts.written(changed)
  })
  return { store, write: runs.run }
}
