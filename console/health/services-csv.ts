import { csvText } from '../../shared/csv.ts'
import type { ServiceSummary } from '../../shared/health-services.ts'

/** Returns a list of services as a file, in its order. Times are UTC. */
export const servicesCsv = (rows: readonly ServiceSummary[]): string =>
  csvText([
    [
      'id',
      'name',
      'chain',
      'family',
      'provider',
      'decision',
      'since',
      'blocks_behind',
      'seconds_behind',
      'reason',
      'labels',
    ],
    ...rows.map((row) => [
      row.id,
      row.name,
      row.chain?.key ?? '',
      row.family,
      row.provider,
      row.decision,
      row.decisionSince === null ? '' : new Date(row.decisionSince * 1_000).toISOString(),
      row.avgBlocksLatency,
      row.avgTimeLatency,
      row.reason ?? '',
      row.labels.join(' '),
    ]),
  ])
