import { expect, test } from 'bun:test'

import { decisions } from '../../shared/health.ts'
import { shieldsBadge, svgBadge } from './badge.ts'

test('every decision has a badge of its own colour that says it in words', () => {
  const badges = decisions.map((decision) => svgBadge('Node A', decision))
  expect(new Set(badges.map((badge) => /#[0-9a-f]{6}"\/><g/.exec(badge)?.[0] ?? badge)).size).toBe(
    decisions.length,
  )
  for (const [index, badge] of badges.entries()) {
    expect(badge).toContain(`aria-label="Node A: ${decisions[index]?.toLowerCase()}"`)
  }
})

test('a name is escaped and shortened', () => {
  const badge = svgBadge(`<script>"&${'x'.repeat(100)}`, 'UP')
  expect(badge).not.toContain('<script')
  expect(badge).toContain('&lt;script&gt;&quot;&amp;')
  expect(badge).toContain('…')
})

test('shields.io gets its endpoint format', () => {
  expect(shieldsBadge('Node A', 'DOWN')).toEqual({
    schemaVersion: 1,
    label: 'Node A',
    message: 'down',
    color: '#cf222e',
  })
})
