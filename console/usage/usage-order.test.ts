import { expect, test } from 'bun:test'
import { mount } from '@vue/test-utils'
import type { VueWrapper } from '@vue/test-utils'

import { consolePages } from '../../shared/console-pages.ts'
import { mountPage } from '../test-support/mount-page.ts'
import BandTable from './BandTable.vue'
import { usualView } from './usage-view.ts'
import UsageSplits from './UsageSplits.vue'

/** What a column says from the top down after one click on its title, and after a second. */
async function ordersOf(table: VueWrapper, title: string): Promise<string[][]> {
  const titles = table.findAll('th')
  const place = titles.findIndex((head) => head.text() === title)
  const orders: string[][] = []
  for (let click = 0; click < 2; click++) {
    await titles[place]?.get('button').trigger('click')
    orders.push(table.findAll('tbody tr').map((row) => row.findAll('td')[place]?.text() ?? ''))
  }
  return orders
}

test('columns of counts over time are ordered as numbers', async () => {
  const values = [1_234, 2_000_000, 12, 88_000, 999]
  const table = mount(BandTable, {
    props: {
      label: 'Calls by key',
      starts: values.map((_, day) => day * 86_400_000),
      bands: [{ name: 'app', values }],
      before: values,
      by: 'day',
      isUtc: true,
    },
  })
  const greatestFirst = ['2,000,000', '88,000', '1,234', '999', '12']
  for (const title of ['Sum', 'Period before', 'app']) {
    expect(await ordersOf(table, title)).toEqual([greatestFirst, greatestFirst.toReversed()])
  }
})

test('requests to upstreams and their times, too', async () => {
  const items = [
    { upstream: 'a', endpoint: 'mainnet', class: 'answered', attempts: 1_234, meanMs: 1_240 },
    { upstream: 'b', endpoint: 'mainnet', class: 'answered', attempts: 12, meanMs: 38.4 },
    { upstream: 'c', endpoint: 'mainnet', class: 'answered', attempts: 88_000, meanMs: null },
  ]
  const { wrapper } = await mountPage(
    UsageSplits,
    { 'usage.upstreams': () => ({ items }) },
    consolePages.usage,
    { view: usualView },
  )
  expect(await ordersOf(wrapper, 'Requests')).toEqual([
    ['88,000 requests', '1,234 requests', '12 requests'],
    ['12 requests', '1,234 requests', '88,000 requests'],
  ])
  expect(await ordersOf(wrapper, 'Mean time')).toEqual([
    ['1.2 s', '38 ms', '–'],
    ['38 ms', '1.2 s', '–'],
  ])
  // On a phone, where that is all that is said of them.
  const endpoint = wrapper.findAll('tbody tr')[0]?.findAll('td')[1]
  expect(endpoint?.text()).toBe('mainnet, mean 38 ms')
  expect(endpoint?.classes()).toContain('max-md:col-span-full')
})
