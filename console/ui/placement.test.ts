import { expect, test } from 'bun:test'

import { placeBeside } from './placement.ts'
import type { Alignment, Box } from './placement.ts'

const view = { width: 1_000, height: 800 }
const panel = { width: 200, height: 100 }
const anchorAt = (left: number, top: number): Box => ({ left, right: left + 40, top, bottom: top + 30 })

test.each<[title: string, anchor: Box, align: Alignment, expected: { left: number; top: number }]>([
  ['below, from the left edge', anchorAt(500, 100), 'start', { left: 500, top: 136 }],
  ['below, in the middle', anchorAt(500, 100), 'centre', { left: 420, top: 136 }],
  ['below, to the right edge', anchorAt(500, 100), 'end', { left: 340, top: 136 }],
  ['above, where below is no room', anchorAt(500, 700), 'end', { left: 340, top: 594 }],
  ['inside on the right', anchorAt(980, 100), 'start', { left: 792, top: 136 }],
  ['inside on the left', anchorAt(0, 100), 'end', { left: 8, top: 136 }],
])('%s', (_title, anchor, align, expected) => {
  expect(placeBeside(anchor, panel, view, align)).toEqual(expected)
})

test('with room neither below nor above it stays in the window', () => {
  const small = { width: 1_000, height: 160 }
  expect(placeBeside(anchorAt(500, 60), panel, small, 'start')).toEqual({ left: 500, top: 52 })
  expect(placeBeside(anchorAt(500, 60), { width: 2_000, height: 900 }, small, 'start')).toEqual({
    left: 8,
    top: 8,
  })
})
