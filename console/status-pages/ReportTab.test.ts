import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { consolePages } from '../../shared/console-pages.ts'
import ErrorBudget from '../health/ErrorBudget.vue'
import { mountPage } from '../test-support/mount-page.ts'
import { turnTab } from '../test-support/tab-visibility.ts'
import ReportTab from './ReportTab.vue'

afterEach(() => void setSystemTime())

let asked: string[]
beforeEach(() => {
  asked = []
})
const answers = {
  'statusPages.report'(question: unknown) {
    const month = question instanceof Object && 'month' in question ? question.month : null
    asked.push(String(month))
    return { rows: [] }
  },
}
const parts = [
  {
    about: 'the report',
    part: ReportTab,
    props: { month: '', objective: '' },
    months: ['2025-12', '2026-01'],
  },
  {
    about: 'an error budget',
    part: ErrorBudget,
    props: { serviceId: 'node' },
    months: ['2026-01', '2026-02'],
  },
]

test.each(parts)(
  '$about goes on to the next month where the page stays open',
  async ({ part, props, months }) => {
    setSystemTime(Date.UTC(2026, 0, 31, 23, 59))
    await mountPage(part, answers, consolePages.statusPages, props)
    setSystemTime(Date.UTC(2026, 1, 1, 0, 1))
    turnTab('hidden')
    turnTab('visible')
    await waitUntil('the next month is asked for', () => asked.at(-1) === months[1])
    expect(asked[0]).toBe(months[0])
  },
)
