import { afterEach, expect, setSystemTime, test } from 'bun:test'

import { consolePages } from '../../shared/console-pages.ts'
import { hourMs, minuteMs } from '../../shared/durations.ts'
import { mountPage } from '../test-support/mount-page.ts'
import { allToolCalls } from './tool-call-view.ts'
import ToolStatistics from './ToolStatistics.vue'

afterEach(() => void setSystemTime())

const now = Date.UTC(2026, 0, 31, 12)

test('the last hour is that before it is asked for, each time', async () => {
  setSystemTime(now)
  const asked: unknown[] = []
  const { askAgain } = await mountPage(
    ToolStatistics,
    {
      'toolCalls.statistics': (question) => (asked.push(question), { rows: [], totals: {} }),
      'toolCalls.outcomes': (question) => (asked.push(question), { outcomes: [] }),
    },
    consolePages.toolCalls,
    { modelValue: { ...allToolCalls, range: '1h', server: 'tools' } },
  )
  setSystemTime(now + 10 * minuteMs)
  await askAgain()
  const first = { server: 'tools', by: 'tool', from: now - hourMs }
  const later = { ...first, from: first.from + 10 * minuteMs }
  expect(asked).toEqual([first, first, later, later])
})
