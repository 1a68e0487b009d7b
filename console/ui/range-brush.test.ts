import { expect, test } from 'bun:test'

import { useRangeBrush } from './range-brush.ts'
import { useSeriesCursor } from './series-cursor.ts'

function brushOf(count: number) {
  const taken: [number, number][] = []
  const cursor = useSeriesCursor(() => count)
  const brush = useRangeBrush(
    cursor,
    () => count - 1,
    (...span) => void taken.push(span),
  )
  function press(key: string, shiftKey = false): readonly [number, number] | null {
    const event = new KeyboardEvent('keydown', { key, shiftKey, cancelable: true })
    brush.onKey(event)
    cursor.onKey(event)
    return brush.span.value
  }
  return { cursor, brush, press, taken }
}

test('what is dragged across is taken, from either side; a click takes nothing', () => {
  const { cursor, brush, taken } = brushOf(10)
  for (const [from, to] of [
    [0.2, 0.65],
    [0.65, 0.2],
    [0.5, 0.51],
  ] as const) {
    cursor.point(from)
    brush.begin()
    cursor.point(to)
    brush.take()
  }
  expect(taken).toEqual([
    [2, 6],
    [2, 6],
  ])
  expect([brush.span.value, cursor.place.value]).toEqual([null, 5])
})

test('keys choose with Shift from where the cursor is, and Enter takes it', () => {
  const { press, taken } = brushOf(30)
  expect(press('ArrowLeft', true)).toEqual([28, 29]) // from the newest on
  expect(press('Shift', true)).toEqual([28, 29])
  expect(press('PageDown', true)).toEqual([18, 29])
  press('Enter')
  expect(taken).toEqual([[18, 29]])
})

test('keys without Shift, and Escape, let go what was chosen', () => {
  const { press, taken } = brushOf(30)
  press('ArrowLeft', true)
  expect(press('ArrowLeft')).toBeNull()
  press('ArrowLeft', true)
  expect(press('Escape')).toBeNull()
  press('Enter')
  expect(taken).toEqual([])
})
