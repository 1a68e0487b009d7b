import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'

import { timeTicks } from './time-ticks.ts'

/** What was measured at one instant (epoch ms), one value for each series; null where nothing was. */
export interface ChartPoint {
  readonly at: number
  readonly values: readonly (number | null)[]
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
  /** By how much the reader's time is ahead of UTC. */
  readonly offsetMs: number
}

/** Scales, ticks and paths of a chart. */
export function chartLayout(
  points: readonly ChartPoint[],
  seriesCount: number,
  { floor, offsetMs, ...box }: ChartSpace,
) {
  const plot = plotOf(box)
  const highest = Math.max(floor, ...points.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 1]
  const x = scaleLinear([from, to], [plot.left, plot.right])
  const y = scaleLinear([0, highest], [plot.bottom, plot.top]).nice(4)
  return {
    plot,
    x: (at: number): number => x(at),
    y: (value: number): number => y(value),
    xTicks: timeTicks(
      from,
      to,
      Math.max(2, Math.floor((plot.right - plot.left) / pixelsPerTick.x)),
      offsetMs,
    ),
    yTicks: y.ticks(Math.max(2, Math.floor((plot.bottom - plot.top) / pixelsPerTick.y))),
    paths: Array.from(
      { length: seriesCount },
      (_, index) =>
        line<ChartPoint>(
          ({ at }) => x(at),
          ({ values }) => y(values[index] ?? 0),
        ).defined(({ values }) => isNumber(values[index]))(points) ?? '',
    ),
    /** A value between two gaps makes no line: it is drawn as a dot. */
    alone: Array.from({ length: seriesCount }, (_, index) =>
      points.flatMap(({ at, values }, place) => {
        const value = values[index]
        const hasNeighbour = [place - 1, place + 1].some((other) => isNumber(points[other]?.values[index]))
        return isNumber(value) && !hasNeighbour ? [{ x: x(at), y: y(value) }] : []
      }),
    ),
  }
}

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number'
