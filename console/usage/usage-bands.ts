import type { UsageBand, UsageMeasure, UsageSeries } from '../../shared/usage.ts'
import { csvText } from '../../shared/csv.ts'
import { dayIn } from '../../shared/zone-days.ts'
import type { StackBand } from '../ui/stack-scales.ts'

export const measureWords: Readonly<Record<UsageMeasure, { readonly title: string; readonly unit: string }>> =
  {
    requests: { title: 'Calls', unit: 'calls' },
    credits: { title: 'Credits', unit: 'credits' },
    errors: { title: 'Errors', unit: 'errors' },
    refused: { title: 'Refused', unit: 'refused calls' },
  }

type Shown = Pick<UsageSeries, 'buckets' | 'bands' | 'granularity'>

/**
 * What a chart draws: the bands in which anything was counted. Two keys of one name are told apart by what `hintOf`
 * knows of them.
 */
export function chartBandsOf(
  { bands }: Shown,
  measure: UsageMeasure,
  hintOf: (id: string) => string | undefined,
): readonly StackBand[] {
  const labels = bands.map(({ label }) => label)
  const nameOf = ({ id, label }: UsageBand): string => {
    if (id === null) return 'All others'
    const isAlone = labels.indexOf(label) === labels.lastIndexOf(label)
    return isAlone ? label : `${label} ${hintOf(id) ?? id}`
  }
  return bands
    .filter((band) => band[measure].some((value) => value > 0))
    .map((band) => ({ name: nameOf(band), values: band[measure], isRest: band.id === null }))
}

/** Days as charts take them: by the midnight of UTC of the same date. Other columns stay as they are. */
export const chartStartsOf = (
  { buckets, granularity }: Pick<Shown, 'buckets' | 'granularity'>,
  timeZone: string,
): readonly number[] =>
  granularity === 'day' ? buckets.map((at) => Date.parse(dayIn(timeZone, at))) : buckets

/** What was counted in each of so many columns, all bands together. */
export const sumsOf = (
  { bands }: Pick<Shown, 'bands'>,
  measure: UsageMeasure,
  columns: number,
): readonly number[] =>
  Array.from({ length: columns }, (_, place) =>
    bands.reduce((sum, band) => sum + (band[measure][place] ?? 0), 0),
  )

/**
 * A row for each hour or day, by its beginning in UTC, a column for each band, and one for the period before where that
 * is compared.
 */
export const bandsCsv = (
  { buckets, granularity }: Shown,
  bands: readonly StackBand[],
  before: readonly number[] = [],
): string =>
  csvText([
    [granularity, ...bands.map(({ name }) => name), ...(before.length > 0 ? ['period before'] : [])],
    ...buckets.map((at, place) => [
      new Date(at).toISOString(),
      ...bands.map(({ values }) => values[place] ?? 0),
      ...before.slice(place, place + 1),
    ]),
  ])
