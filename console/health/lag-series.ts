import type { Policy } from '../../shared/health.ts'
import type { HistoryRange, ServiceHistory } from '../../shared/health-details.ts'
import type { ChartPoint } from '../ui/chart-scales.ts'

type Bucket = ServiceHistory['buckets'][number]

/** What can be drawn over time. */
export type Measure = 'blocks' | 'seconds' | 'response'
/** What lag is told in. */
export type LagMeasure = Exclude<Measure, 'response'>

export const lagMeasures: readonly { readonly value: LagMeasure; readonly label: string }[] = [
  { value: 'blocks', label: 'Blocks' },
  { value: 'seconds', label: 'Time' },
]

interface Drawn {
  readonly unit: string
  readonly series: readonly { readonly name: string; readonly value: (bucket: Bucket) => number }[]
}

const drawn: Readonly<Record<Measure, Drawn>> = {
  blocks: {
    unit: 'blocks',
    series: [
      { name: 'Average lag', value: (bucket) => bucket.lagBlocksAvg },
      { name: 'Greatest lag', value: (bucket) => bucket.lagBlocksMax },
    ],
  },
  seconds: { unit: 's', series: [{ name: 'Average lag', value: (bucket) => bucket.lagSecAvg }] },
  response: {
    unit: 'ms',
    series: [
      { name: 'Response p50', value: (bucket) => bucket.rttP50Ms },
      { name: 'Response p95', value: (bucket) => bucket.rttP95Ms },
    ],
  },
}

/** Seconds from one bucket to the next. */
const steps: Readonly<Record<HistoryRange, number>> = {
  '15m': 300,
  '1h': 300,
  '6h': 300,
  '24h': 300,
  '7d': 3_600,
  '30d': 3_600,
  '90d': 86_400,
}

/** One point for each bucket of the range, those without an answer with gaps; they begin at the first bucket there is. */
export function pointsOf(
  history: Pick<ServiceHistory, 'range' | 'to' | 'buckets'>,
  measure: Measure,
): ChartPoint[] {
  const { range, to, buckets } = history
  const [first] = buckets
  if (first === undefined) return []
  const byStart = new Map(buckets.map((bucket) => [bucket.at, bucket]))
  const step = steps[range]
  const { series } = drawn[measure]
  const points: ChartPoint[] = []
  for (let at = first.at; at < to; at += step) {
    const bucket = byStart.get(at)
    const hasAnswers = bucket !== undefined && bucket.probes > bucket.failures
    points.push({
      at: at * 1_000,
      values: series.map(({ value }) => (hasAnswers ? value(bucket) : null)),
    })
  }
  return points
}

/**
 * Adds what was measured at the same place of the period before, of the first series alone: more lines than three are no
 * picture. `lengthMs`: of either period.
 */
export function withBefore(
  points: readonly ChartPoint[],
  before: readonly ChartPoint[],
  lengthMs: number,
): ChartPoint[] {
  const earlier = new Map(before.map(({ at, values }) => [at + lengthMs, values[0] ?? null]))
  return points.map(({ at, values }) => ({ at, values: [...values, earlier.get(at) ?? null] }))
}

/** One chart: its lines, and what they are held against. */
interface MeasureChart {
  readonly measure: Measure
  readonly unit: string
  readonly names: readonly string[]
  readonly points: readonly ChartPoint[]
  readonly limit: { readonly value: number; readonly name: string } | null
}

/** `before`: the period before it, `none` until that was read; null where it is not compared. */
export function chartsOf(
  measures: readonly Measure[],
  history: ServiceHistory,
  before: ServiceHistory | 'none' | null,
  thresholds: Policy,
): MeasureChart[] {
  return measures.map((measure) => {
    const own = pointsOf(history, measure)
    const names = drawn[measure].series.map(({ name }) => name)
    const common = { measure, unit: drawn[measure].unit, limit: limitOf(thresholds, measure) }
    if (before === null) return { ...common, names, points: own }
    const earlier = before === 'none' ? [] : pointsOf(before, measure)
    return {
      ...common,
      names: [...names, `${names[0] ?? ''}, period before`],
      points: withBefore(own, earlier, (history.to - history.from) * 1_000),
    }
  })
}

/** The points of charts of the same instants, with the values of all of them. */
export const sideBySide = ([first = [], ...others]: readonly (readonly ChartPoint[])[]): ChartPoint[] =>
  first.map(({ at, values }, place) => ({
    at,
    values: [...values, ...others.flatMap((points) => points[place]?.values ?? [])],
  }))

/** When a service was in an incident, in epoch ms. */
export const incidentBands = ({ incidents, to }: Pick<ServiceHistory, 'incidents' | 'to'>) =>
  incidents.map(({ openedAt, closedAt }) => ({ from: openedAt * 1_000, to: (closedAt ?? to) * 1_000 }))

/** The threshold that a measure is held against; null where there is none. */
function limitOf(policy: Policy, measure: Measure): { value: number; name: string } | null {
  switch (measure) {
    case 'blocks':
      return { value: policy.enterBlocks, name: 'LATENCY above this' }
    case 'seconds':
      return { value: policy.enterSec, name: 'LATENCY above this' }
    case 'response':
      return policy.maxRttMs === null ? null : { value: policy.maxRttMs, name: 'LATENCY above this' }
  }
}
