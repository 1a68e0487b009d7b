import { consolePages } from '../../../shared/console-pages.ts'
import { startConsole } from '../../world/console-under-test.ts'
import { type TestDatabase, testDatabase } from '../../world/database.ts'
import { atMost, type Benchmark, benchmarkRowOf } from '../benchmark.ts'
import { type ListTimes, cpuSlowdown, openThrottled } from '../browser/throttled-list.ts'
import { addAccounts } from '../fixtures/accounts.ts'
import { makeServices } from '../fixtures/services.ts'

const count = 10_000
const lists = [
  {
    what: 'services',
    path: consolePages.services,
    heading: 'Services',
    search: 'Filter services',
    typed: 'service 77',
  },
  {
    what: 'accounts',
    path: consolePages.accounts,
    heading: 'Accounts',
    search: 'Find accounts',
    typed: 'person 77',
  },
]

export const consoleLists: Benchmark = {
  name: 'console-lists',
  about: `the console's lists of ${count} services and accounts on a slow processor`,

  async run({ rounds }) {
    const testing = await testDatabase()
    try {
      return {
        title: 'Long lists in the console',
        rows: await rowsOf(testing, rounds),
        notes: [
          `${count} services that nobody reports on, and as many accounts with a wallet each, in one installation.`,
          `Chromium without a window, its processor slowed down ${cpuSlowdown} times; every visit is a new browser profile with nothing cached.`,
          'Rows visible counts from the start of the navigation, signed in, until the frame with the first rows has been painted. A keystroke counts from the key to the end of the frame that shows its effect.',
        ],
      }
    } finally {
      await testing.drop()
    }
  },
}

async function rowsOf(testing: TestDatabase, rounds: number) {
  const file = { services: makeServices(count).services, verifiers: { builtIn: false } }
  const subject = await startConsole(file, { DATABASE_URL: testing.url, GATEHOUSE_LOG_LEVEL: 'error' })
  try {
    await addAccounts(testing, 1, count)
    const rows = []
    for (const { what, ...list } of lists) {
      const times: ListTimes[] = []
      for (let round = 0; round < rounds; round++) times.push(await openThrottled(subject, list))
      rows.push(
        benchmarkRowOf(
          `${count} ${what}, rows visible`,
          'ms',
          times.map(({ rowsVisibleMs }) => rowsVisibleMs),
          atMost(1_500),
        ),
        benchmarkRowOf(
          `${count} ${what}, filter keystroke to paint`,
          'ms',
          times.flatMap(({ keystrokesMs }) => keystrokesMs),
          atMost(50),
        ),
      )
    }
    return rows
  } finally {
    await subject.stop()
  }
}
