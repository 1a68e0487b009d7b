import { expect, test } from 'bun:test'

import { noServiceFilter } from './service-filter.ts'
import { queryOfServicesView, servicesViewFromQuery } from './services-view.ts'

const whole = { filter: noServiceFilter, grouping: '', size: 50 } as const

test('the address of the page and the view say the same', () => {
  const view = { filter: { ...noServiceFilter, text: 'fra' }, grouping: 'chain', size: 200 } as const
  expect(queryOfServicesView(view)).toEqual({ q: 'fra', group: 'chain', size: '200' })
  expect(servicesViewFromQuery(queryOfServicesView(view))).toEqual(view)
  expect(queryOfServicesView(whole)).toEqual({})
})

test('what makes no sense in an address shows the usual list', () => {
  expect(servicesViewFromQuery({ group: 'colour', size: '7', decision: 'sideways' })).toEqual(whole)
})
