import { expect, test } from 'bun:test'

import { filterChips } from './filter-chips.ts'
import { wholeRegistry } from './registry-view.ts'

const columns = [{ key: 'planType', label: 'Plan', kind: 'select' as const, values: [], moreValues: 0 }]

test('each thing that narrows the list can be taken away by itself', () => {
  const filters = {
    planType: ['Free', 'Trial'],
    price: { max: 49 },
    updatedAt: { from: '2026-01-01', to: '2026-02-01' },
  }
  const chips = filterChips({ ...wholeRegistry, tags: ['EVM', 'New'], filters }, columns)
  expect(chips.map(({ label }) => label)).toEqual([
    'EVM',
    'New',
    'Plan: Free or Trial',
    'Price: up to 49',
    'Updated at: 2026-01-01 to 2026-02-01',
  ])
  expect(chips[0]?.without).toEqual({ tags: ['New'] })
  expect(chips[3]?.without).toEqual({ filters: { planType: filters.planType, updatedAt: filters.updatedAt } })
})
