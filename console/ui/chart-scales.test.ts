import { describe, expect, test } from 'bun:test'

import { bandsWithin, chartLayout } from './chart-scales.ts'

const space = { width: 464, height: 246, timesIn: 'UTC', floor: 1 } as const // a plot of 400 by 200
const point = (at: number, ...values: (number | null)[]) => ({ at, values })

describe('a chart', () => {
  test('begins at zero, and reaches the highest value and at least the floor', () => {
    const low = chartLayout([point(0, 1), point(100, 2)], 1, { ...space, floor: 10 })
    expect([low.y(0), low.y(10)]).toEqual([low.plot.bottom, low.plot.top])
    const high = chartLayout([point(0, 1), point(100, 40)], 1, { ...space, floor: 10 })
    expect(high.y(40)).toBeGreaterThanOrEqual(high.plot.top)
    expect(high.yTicks).toEqual([0, 10, 20, 30, 40])
  })

  test('has a gap where nothing was measured, and a dot between two gaps', () => {
    const points = [point(0, 1), point(1, 2), point(2, null), point(3, 4), point(4, null), point(5, 1)]
    const { paths, alone, x, y } = chartLayout(points, 1, space)
    // One stretch of two points; a point alone is a move without a line.
    expect(paths[0]?.match(/L/g)).toHaveLength(1)
    expect(alone[0]).toEqual([
      { x: x(3), y: y(4) },
      { x: x(5), y: y(1) },
    ])
  })

  test('keeps its series apart', () => {
    const { paths } = chartLayout([point(0, 1, null), point(1, 2, null)], 2, space)
    expect(paths[0]).not.toBe('')
    expect(paths[1]).toBe('')
  })

  test('without any point is empty', () => {
    const { paths, alone } = chartLayout([], 1, space)
    expect([paths, alone]).toEqual([[''], [[]]])
  })
})

test('spans are drawn as far as they are within what is shown, and never too thin to be seen', () => {
  const points = [point(100, 1), point(200, 1)]
  const { x } = chartLayout(points, 1, space)
  const drawn = (from: number, to: number) => bandsWithin([{ from, to }], points, x)
  expect(drawn(0, 150)).toEqual([{ x: x(100), width: 200 }])
  expect(drawn(150, 900)).toEqual([{ x: x(150), width: 200 }])
  expect(drawn(150, 150.001)[0]?.width).toBe(1)
  expect([...drawn(0, 100), ...drawn(200, 300)]).toEqual([])
  expect(bandsWithin([{ from: 0, to: 9 }], [point(5, 1)], x)).toEqual([])
})
