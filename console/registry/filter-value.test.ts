import { expect, test } from 'bun:test'

import { chosenValues, rangeEnds, rangeValue, toggled } from './filter-value.ts'

test('values come and go', () => {
  expect(toggled([], 'Free')).toEqual(['Free'])
  expect(toggled(['Free', 'Trial'], 'Free')).toEqual(['Trial'])
  expect(toggled(['Free'], 'Free')).toBeNull()
  expect(chosenValues('Free')).toEqual(['Free'])
})

test('a range survives the form', () => {
  for (const range of [{ min: 0 }, { max: 49.5 }, { min: 1, max: 2 }])
    expect(rangeValue('range', rangeEnds(range))).toEqual(range)
  expect(rangeValue('dateRange', rangeEnds({ from: '2026-01-31' }))).toEqual({ from: '2026-01-31' })
  expect(rangeValue('range', { from: '', to: '' })).toBeNull()
  expect(rangeValue('range', { from: 'x', to: '' })).toBeNull()
})
