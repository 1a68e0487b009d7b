import { expect, test } from 'bun:test'

import { addTallies, failedTally, formatTally, readTimes, slowestFiles, tallyProcess } from './tally.ts'

const report = (...cases: string[]): string =>
  `<testsuites><testsuite>${cases.join('\n')}</testsuite></testsuites>`
const passing = (file: string): string => `<testcase name="ok" classname="" file="${file}" assertions="1" />`
const failing = `<testcase name="a &lt; b" classname="group &gt; inner" file="a.test.ts">
  <failure type="AssertionError" message="expected">at &lt;testcase name="fake"/&gt;</failure>
</testcase>`
const skipped = '<testcase name="later" classname="" file="a.test.ts"><skipped message="TODO" /></testcase>'

test('counts passed, failed and skipped tests and names the failures', () => {
  const junit = report(passing('a.test.ts'), failing, skipped)
  expect(tallyProcess({ files: ['a.test.ts'], junit, exitCode: 1 })).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    failures: ['a.test.ts: group > inner > a < b'],
  })
})

test('a file that the report leaves out has failed', () => {
  const junit = report(passing('a.test.ts'))
  const tally = tallyProcess({ files: ['a.test.ts', 'broken.test.ts'], junit, exitCode: 1 })
  expect(tally).toMatchObject({ passed: 1, failed: 1 })
  expect(tally.failures[0]).toContain('broken.test.ts')
})

test('a process that dies without a report has failed, even with exit code 0', () => {
  expect(tallyProcess({ files: ['a.test.ts'], junit: null, exitCode: 0 }).failed).toBe(1)
})

test('an error outside of every test is a failure', () => {
  const junit = report(passing('a.test.ts'))
  expect(tallyProcess({ files: ['a.test.ts'], junit, exitCode: 1 }).failed).toBe(1)
})

test('the closing line adds up every suite', () => {
  const one = tallyProcess({
    files: ['a.test.ts'],
    junit: report(passing('a.test.ts'), skipped),
    exitCode: 0,
  })
  expect(formatTally(addTallies([one, one, failedTally('check lint')]))).toBe('2 passed, 1 failed, 2 skipped')
})

test('the slowest files are found in the report, where groups count within their file', () => {
  const times = readTimes(
    `<testsuites time="9"><testsuite name="a" file="a.test.ts" time="2.5"><testsuite name="group" file="a.test.ts" time="1">
     </testsuite></testsuite><testsuite name="b" file="b.test.ts" time="4"></testsuite></testsuites>`,
  )
  expect(slowestFiles(times, 1)).toEqual([{ file: 'b.test.ts', seconds: 4 }])
  expect(slowestFiles(times, 10)).toEqual([
    { file: 'b.test.ts', seconds: 4 },
    { file: 'a.test.ts', seconds: 2.5 },
  ])
})
