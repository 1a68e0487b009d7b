import { describe, expect, test } from 'bun:test'
import { mount } from '@vue/test-utils'
import { h } from 'vue'

import DataTable from './DataTable.vue'
import type { Column, Sort } from './sort-rows.ts'

interface Key {
  id: string
  name: string
}

const columns: Column<Key>[] = [
  { key: 'name', title: 'Name', value: ({ name }) => name },
  { key: 'menu', title: 'Actions', isTitleHidden: true },
]
const keys: Key[] = [
  { id: '1', name: 'Build' },
  { id: '2', name: 'Archive' },
]

const mountTable = (props: Record<string, unknown>) =>
  mount(DataTable<Key>, {
    props: { label: 'Keys', columns, rows: keys, rowKey: ({ id }: Key) => id, ...props },
    slots: { 'cell-menu': '<template #default="{ row }">menu of {{ row.id }}</template>' },
  })

describe('a table', () => {
  test('shows values, slots and titles', () => {
    const table = mountTable({})
    expect(table.findAll('tbody tr').map((row) => row.text())).toEqual(['Buildmenu of 1', 'Archivemenu of 2'])
    expect(table.findAll('th').map((title) => title.text())).toEqual(['Name', 'Actions'])
    expect(table.findAll('th')[1]?.find('button').exists()).toBe(false)
  })

  test('has a dash for what is not known, and nothing where there is nothing to do', () => {
    const dated: Column<Key>[] = [...columns, { key: 'date', title: 'Date', value: () => null }]
    const table = mount(DataTable<Key>, {
      props: { label: 'Keys', columns: dated, rows: keys, rowKey: ({ id }: Key) => id },
      slots: { 'cell-menu': '<template #default="{ row }"><i v-if="row.id === `1`">menu</i></template>' },
    })
    expect(table.findAll('tbody tr').map((row) => row.text())).toEqual(['Buildmenu–', 'Archive–'])
  })

  test('is sorted by a click on a title', async () => {
    const table = mountTable({ sort: null, 'onUpdate:sort': (sort: Sort | null) => table.setProps({ sort }) })
    const firstCell = () => table.get('tbody tr').text()
    const title = table.get('th')
    expect(title.attributes('aria-sort')).toBe('none')
    await title.get('button').trigger('click')
    expect([title.attributes('aria-sort'), firstCell()]).toEqual(['ascending', 'Archivemenu of 2'])
    await title.get('button').trigger('click')
    expect([title.attributes('aria-sort'), firstCell()]).toEqual(['descending', 'Buildmenu of 1'])
  })

  test('a click anywhere in a row opens it by its name, unless it means something else', async () => {
    const opened: string[] = []
    const table = mount(DataTable<Key>, {
      attachTo: document.body,
      props: { label: 'Keys', columns, rows: keys, rowKey: ({ id }: Key) => id },
      slots: {
        'cell-name': ({ row }: { row: Key }) => [
          h('button', { class: 'row-title', onClick: () => opened.push(row.name) }, row.name),
          h('span', 'of March'),
        ],
        'cell-menu': () => [h('button', { class: 'menu' }, 'Menu'), h('span', { class: 'beside' })],
      },
    })
    await table.get('tbody span').trigger('click')
    await table.get('tbody .row-title').trigger('click')
    expect(opened).toEqual(['Build', 'Build'])

    await table.get('tbody span').trigger('click', { ctrlKey: true })
    await table.get('.menu').trigger('click')
    await table.get('.beside').trigger('click')
    const text = table.get('tbody span').element
    getSelection()?.selectAllChildren(text)
    await table.get('tbody span').trigger('click')
    expect(opened).toHaveLength(2)
    getSelection()?.removeAllRanges()
    table.unmount()
  })

  test('leaves the order to who gives one page of a longer list', () => {
    const table = mountTable({ sort: { key: 'name', direction: 'ascending' }, isOrdered: true })
    expect(table.get('tbody tr').text()).toBe('Buildmenu of 1')
  })

  test('holds the place of rows that are still loading, and then only', async () => {
    const table = mountTable({ rows: [], isLoading: true })
    expect(table.findAll('tbody tr[aria-hidden]')).toHaveLength(5)
    expect(table.get('[role=status]').text()).toBe('Loading Keys')
    await table.setProps({ rows: keys })
    expect(table.findAll('tbody tr')).toHaveLength(2)
  })

  test('without rows says whether nothing is there or nothing matches', async () => {
    const table = mountTable({ rows: [] })
    expect(table.text()).toBe('Nothing here yet')
    await table.setProps({ isFiltered: true })
    await table.get('button').trigger('click')
    expect(table.text()).toContain('Nothing matches')
    expect(table.emitted('clearFilter')).toHaveLength(1)
  })

  test('that could not be read says why; rows that were read before stay', async () => {
    const table = mountTable({ rows: [], error: 'The server is away.' })
    expect(table.get('[role=alert]').text()).toContain('The server is away.')
    await table.get('button').trigger('click')
    expect(table.emitted('retry')).toHaveLength(1)
    await table.setProps({ rows: keys })
    expect(table.get('[role=alert]').text()).toContain('The server is away.')
    expect(table.findAll('tbody tr')).toHaveLength(2)
  })
})
