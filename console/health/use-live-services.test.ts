import { afterEach, expect, test } from 'bun:test'
import { defineComponent, h } from 'vue'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { consolePages } from '../../shared/console-pages.ts'
import { mountPage } from '../test-support/mount-page.ts'
import { turnTab } from '../test-support/tab-visibility.ts'
import { useLiveServices } from './use-live-services.ts'

const opened: string[] = []
class CountedEventSource extends EventTarget {
  constructor(address: string) {
    super()
    opened.push(address)
  }
  close(): void {
    opened.pop()
  }
}
const usual = globalThis.EventSource
afterEach(() => void Object.assign(globalThis, { EventSource: usual }))

const LiveServices = defineComponent({
  setup() {
    const { feed } = useLiveServices()
    return () => h('p', feed.value)
  },
})

test('a tab that is opened hidden holds no live view until it is seen', async () => {
  Object.assign(globalThis, { EventSource: CountedEventSource })
  turnTab('hidden')
  const { wrapper, askAgain } = await mountPage(
    LiveServices,
    { 'services.list': () => [] },
    consolePages.services,
  )
  await askAgain()
  expect([wrapper.text(), opened]).toEqual(['paused', []])

  turnTab('visible')
  await waitUntil('a live view is open', () => opened.length === 1)
  expect(wrapper.text()).toBe('connecting')
  turnTab('hidden')
  await waitUntil('it is closed', () => opened.length === 0)
})
