import { type Scale, linearScale, roundTicks, roundTop } from './linear-scale.ts'
import type { TimesIn } from './reader-zone.ts'
import { timeTicks } from './time-ticks.ts'

/** What was measured at one instant (epoch ms), one value for each series; null where nothing was. */
export interface ChartPoint {
  readonly at: number
  readonly values: readonly (number | null)[]
}

/** A span of time, in epoch ms. */
export interface ChartBand {
  readonly from: number
  readonly to: number
}

/** Where spans are drawn, as far as they are within what is shown. One that is shorter than a pixel has one. */
export function bandsWithin(
  bands: readonly ChartBand[],
  points: readonly ChartPoint[],
  x: Scale,
): { readonly x: number; readonly width: number }[] {
  const [first, last] = [points[0]?.at, points.at(-1)?.at]
  if (first === undefined || last === undefined || first === last) return []
  return bands
    .filter(({ from, to }) => to > first && from < last)
    .map(({ from, to }) => {
      const start = x(Math.max(first, from))
      return { x: tenth(start), width: tenth(Math.max(1, x(Math.min(last, to)) - start)) }
    })
}

/** Pixels that a chart has. */
export interface ChartBox {
  readonly width: number
  readonly height: number
}

const space = { top: 20, right: 12, bottom: 26, left: 52 } as const
export const pixelsPerTick = { x: 96, y: 44 } as const

/** Where the plot itself is. */
export const plotOf = ({ width, height }: ChartBox) => ({
  left: space.left,
  right: Math.max(space.left + 1, width - space.right),
  top: space.top,
  bottom: height - space.bottom,
})

interface ChartSpace extends ChartBox {
  /** The vertical axis reaches at least this far. */
  readonly floor: number
  /** Whose hours and midnights the ticks stand at. */
  readonly timesIn: TimesIn
}

/** The vertical axis: from zero to at least `highest`. */
export function countAxis(highest: number, box: ChartBox): { y: Scale; yTicks: number[] } {
  const { top, bottom } = plotOf(box)
  const end = roundTop(highest, 4)
  return {
    y: linearScale([0, end], [bottom, top]),
    yTicks: roundTicks(end, tickCount(bottom - top, pixelsPerTick.y)),
  }
}

export const tickCount = (length: number, each: number): number => Math.max(2, Math.floor(length / each))

/** Scales, ticks and paths of a chart. */
export function chartLayout(
  points: readonly ChartPoint[],
  seriesCount: number,
  { floor, timesIn, ...box }: ChartSpace,
) {
  const plot = plotOf(box)
  const highest = Math.max(floor, ...points.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 1]
  const x = linearScale([from, to], [plot.left, plot.right])
  const vertical = countAxis(highest, box)
  return {
    plot,
    x,
    ...vertical,
    xTicks: timeTicks(from, to, tickCount(plot.right - plot.left, pixelsPerTick.x), timesIn),
    paths: Array.from({ length: seriesCount }, (_, index) => pathOf(points, index, x, vertical.y)),
    /** A value between two gaps makes no line: it is drawn as a dot. */
    alone: Array.from({ length: seriesCount }, (_, index) =>
      points.flatMap(({ at, values }, place) => {
        const value = values[index]
        const hasNeighbour = [place - 1, place + 1].some((other) => isNumber(points[other]?.values[index]))
        return isNumber(value) && !hasNeighbour ? [{ x: x(at), y: vertical.y(value) }] : []
      }),
    ),
  }
}

/** Points of one series that follow each other are joined. */
function pathOf(points: readonly ChartPoint[], index: number, x: Scale, y: Scale): string {
  let path = ''
  let isOpen = false
  for (const { at, values } of points) {
    const value = values[index]
    if (isNumber(value)) path += `${isOpen ? 'L' : 'M'}${tenth(x(at))},${tenth(y(value))}`
    isOpen = isNumber(value)
  }
  return path
}

/** A tenth of a pixel is enough, and half as long to write. */
export const tenth = (length: number): number => Math.round(length * 10) / 10

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number'
