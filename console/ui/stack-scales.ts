import { countAxis, pixelsPerTick, plotOf, tenth, tickCount } from './chart-scales.ts'
import type { ChartBox } from './chart-scales.ts'
import type { TimesIn } from './reader-zone.ts'
import { timeTicks } from './time-ticks.ts'

/** One layer of a stacked chart, with a number for each column. */
export interface StackBand {
  readonly name: string
  readonly values: readonly number[]
  /** All that have no band of their own: it looks the same in every chart. */
  readonly isRest?: boolean
}

interface StackSpace extends ChartBox {
  /** Whose hours and midnights the ticks stand at. */
  readonly timesIn: TimesIn
  /** Sums that are drawn as a line across the columns, to compare them with. */
  readonly line?: readonly number[]
}

/** Between columns, and between the parts of one: only where they are wide enough for it. */
const gap = { from: 6, column: 2, part: 1 } as const

/** Scales, ticks and shapes of columns that are stacked. `starts`: epoch ms, at equal distances. */
export function stackLayout(
  starts: readonly number[],
  bands: readonly StackBand[],
  { timesIn, line = [], ...box }: StackSpace,
) {
  const plot = plotOf(box)
  const sums = starts.map((_, place) => sumAt(bands, place))
  const pitch = (plot.right - plot.left) / Math.max(1, starts.length)
  const columnGap = pitch >= gap.from ? gap.column : 0
  const compared = line.slice(0, starts.length)
  const { y, yTicks } = countAxis(Math.max(1, ...sums, ...compared), box)
  const [first = 0, last = 1] = [starts[0], starts.at(-1)]
  const stepMs = Math.max(1, (last - first) / Math.max(1, starts.length - 1))
  const leftOf = (place: number): number => plot.left + place * pitch

  const heights = starts.map(() => 0)
  const paths = bands.map(({ values }) => {
    let path = ''
    for (const [place, value] of values.entries()) {
      const below = heights[place]
      if (value <= 0 || below === undefined) continue
      heights[place] = below + value
      const [top, bottom] = [y(below + value), y(below)]
      const partGap = below > 0 && bottom - top > 2 * gap.part ? gap.part : 0
      const width = pitch - columnGap
      path += `M${tenth(leftOf(place) + columnGap / 2)} ${tenth(top)}h${tenth(width)}V${tenth(bottom - partGap)}h${tenth(-width)}z`
    }
    return path
  })

  /** From the middle of one column to that of the next. */
  const linePath = compared
    .map((sum, place) => `${place === 0 ? 'M' : 'L'}${tenth(leftOf(place + 0.5))} ${tenth(y(sum))}`)
    .join('')

  return {
    plot,
    pitch,
    sums,
    paths,
    linePath,
    leftOf,
    y,
    x: (at: number): number => leftOf((at - first) / stepMs),
    xTicks: timeTicks(first, last, tickCount(plot.right - plot.left, pixelsPerTick.x), timesIn),
    /** Nothing is counted in halves. */
    yTicks: yTicks.filter(Number.isInteger),
  }
}

/** Of all bands in one column. */
export const sumAt = (bands: readonly StackBand[], place: number): number =>
  bands.reduce((sum, { values }) => sum + (values[place] ?? 0), 0)
