import { expect, test } from 'bun:test'
import { flushPromises } from '@vue/test-utils'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { consolePages } from '../../../shared/console-pages.ts'
import { mountPage } from '../../test-support/mount-page.ts'
import AccountsPage from './AccountsPage.vue'
import AllKeysPage from './AllKeysPage.vue'

const noRows = { accounts: [], keys: [], counts: { active: 1, pending: 0, disabled: 0 }, nextCursor: null }
const lists = [
  { page: AccountsPage, path: consolePages.accounts, procedure: 'accounts.page', label: 'Find accounts' },
  {
    page: AllKeysPage,
    path: consolePages.accountKeys,
    procedure: 'operatorQueryKeys.page',
    label: 'Find keys',
  },
]
const searchIn = (question: unknown): unknown =>
  question instanceof Object && 'search' in question ? question.search : undefined

test.each(lists)(
  '$path: what is looked for is what stands in the box',
  async ({ page, path, procedure, label }) => {
    const asked: unknown[] = []
    const answers = { [procedure]: (question: unknown) => (asked.push(searchIn(question)), noRows) }
    const { wrapper, router } = await mountPage(page, answers, `${path}?search=ada`)
    const box = wrapper.get<HTMLInputElement>(`[aria-label="${label}"]`)
    expect([box.element.value, asked]).toEqual(['ada', ['ada']])

    await router.push(path)
    await waitUntil('the whole list is asked for', () => asked.at(-1) === '')
    expect(box.element.value).toBe('')

    await box.setValue(' bob ')
    await waitUntil('the address says it', () => router.currentRoute.value.query['search'] === 'bob')
    await waitUntil('it is asked for', () => asked.at(-1) === 'bob')
    expect(box.element.value).toBe(' bob ')
  },
)

const owner = { id: 'acc_1', name: 'Ada' }
const pageAt = (cursor: string, nextCursor: string) => ({
  keys: Array.from({ length: 50 }, (_, place) => ({
    id: `${cursor}${place}`,
    name: `${cursor}${place}`,
    hint: 'gqk_…abcd',
    endpoint: 'mainnet',
    state: 'enabled',
    createdAt: 0,
    lastUsedAt: null,
    owner,
  })),
  nextCursor,
})

test('a second click on “Next” before the page is there turns no further, and the rows are counted as they are', async () => {
  const asked: unknown[] = []
  const second = Promise.withResolvers<object>()
  const { wrapper } = await mountPage(
    AllKeysPage,
    {
      'operatorQueryKeys.page'(question) {
        const cursor = question instanceof Object && 'cursor' in question ? question.cursor : 'a'
        asked.push(cursor)
        return cursor === 'a' ? pageAt('a', 'b') : second.promise
      },
    },
    consolePages.accountKeys,
  )
  const pager = wrapper.get('[aria-label="Pages of keys"]')
  const next = pager.findAll('button')[1]
  await next?.trigger('click')
  await next?.trigger('click')
  await flushPromises()
  expect(pager.text()).toContain('1 to 50')

  second.resolve(pageAt('b', 'c'))
  await waitUntil('the second page is shown', () => pager.text().includes('51 to 100'))
  expect(asked).toEqual(['a', 'b'])
  await next?.trigger('click')
  await waitUntil('the third is asked for', () => asked.length > 2)
  expect(asked.at(-1)).toBe('c')
})
