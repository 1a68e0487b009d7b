import { describe, expect, test } from 'bun:test'

import { stackLayout, sumAt } from './stack-scales.ts'
import { hourMs } from '../../shared/durations.ts'

const starts = [0, hourMs, 2 * hourMs, 3 * hourMs]
const space = { width: 464, height: 246, timesIn: 'UTC' } as const // a plot of 400 by 200
const band = (...values: number[]) => ({ name: 'band', values })

/** The parts of a path as left, top, width, bottom. */
const partsOf = (path: string | undefined) =>
  [...(path ?? '').matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)V([\d.]+)/g)].map((part) => part.slice(1).map(Number))

describe('stacked columns', () => {
  test('stand on each other, without those that are empty', () => {
    const { paths, plot, y } = stackLayout(starts, [band(10, 0, 20, 5), band(30, 0, 0, 35)], space)
    const [lower, upper] = [partsOf(paths[0]), partsOf(paths[1])]
    expect(lower.map(([, top, , bottom]) => [top, bottom])).toEqual([
      [y(10), plot.bottom],
      [y(20), plot.bottom],
      [y(5), plot.bottom],
    ])
    expect(upper.map(([, top]) => top)).toEqual([y(40), y(40)])
    // Above another part, with a pixel between them.
    expect(upper[0]?.[3]).toBe(y(10) - 1)
  })

  test('share the width, with a gap only where there is room for one', () => {
    const wide = stackLayout(starts, [band(1, 1, 1, 1)], space)
    expect(partsOf(wide.paths[0]).map(([left, , width]) => [left, width])).toEqual([
      [53, 98],
      [153, 98],
      [253, 98],
      [353, 98],
    ])
    const many = Array.from({ length: 200 }, (_, hour) => hour * hourMs)
    const narrow = stackLayout(many, [{ name: 'all', values: many.map(() => 1) }], space)
    expect(partsOf(narrow.paths[0])[0]?.[2]).toBe(2)
  })

  test('reach the highest sum, and are counted in whole numbers', () => {
    const { yTicks, y, plot } = stackLayout(starts, [band(1, 0, 0, 0), band(1, 0, 0, 0)], space)
    expect(yTicks).toEqual([0, 1, 2])
    expect(y(2)).toBe(plot.top)
    expect(sumAt([band(1, 4), band(2, 5)], 1)).toBe(9)
  })

  test('are as high as the line needs that they are compared with', () => {
    const { y, plot, linePath } = stackLayout(starts, [band(1, 1, 1, 1)], { ...space, line: [4, 2, 0, 4, 9] })
    expect(y(4)).toBe(plot.top) // what is beyond the columns needs no room
    expect(linePath).toBe(`M102 ${y(4)}L202 ${y(2)}L302 ${y(0)}L402 ${y(4)}`)
  })

  test('stand at their time', () => {
    const { x, xTicks, leftOf } = stackLayout(starts, [band(1, 1, 1, 1)], space)
    expect(x(2 * hourMs)).toBe(leftOf(2))
    expect(xTicks).toEqual([0, hourMs, 2 * hourMs, 3 * hourMs])
  })

  test('without any column, or with one, break nothing', () => {
    expect(stackLayout([], [], space).paths).toEqual([])
    expect(partsOf(stackLayout([0], [band(3)], space).paths[0])).toHaveLength(1)
  })
})
