import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { PiniaColada } from '@pinia/colada'
import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { defineComponent, h } from 'vue'

import { useLiveQuery } from './live-query.ts'
import { turnTab } from './test-support/tab-visibility.ts'
import { useTickingNow } from './ui/ticking-now.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

let asked = 0
const LiveAnswer = defineComponent({
  setup() {
    const { data } = useLiveQuery({ key: ['number'], query: async () => ++asked }, 1_000)
    const now = useTickingNow()
    return () => h('p', `${data.value} at ${now.value}`)
  },
})
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    jest.advanceTimersByTime(1_000)
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
}

test('a tab that is opened hidden asks once, and its clock stands, until it is seen', async () => {
  turnTab('hidden')
  const page = mount(LiveAnswer, { global: { plugins: [createPinia(), PiniaColada] } })
  await pass(3)
  const [, openedAt] = page.text().split(' at ')
  expect(page.text()).toBe(`1 at ${openedAt}`)
  await pass(3)
  expect(page.text()).toBe(`1 at ${openedAt}`)

  turnTab('visible')
  await pass(3)
  expect(asked).toBeGreaterThan(2)
  expect(page.text()).not.toContain(`at ${openedAt}`)
})
