import { expect, test } from 'bun:test'

import { runChecks } from './checks.ts'

test('runs every check, and names those that fail', async () => {
  const failed = await runChecks([
    { name: 'broken', command: ['-e', 'process.exit(3)'] },
    { name: 'fine', command: ['-e', '0'] },
    { name: 'killed', command: ['-e', 'process.kill(process.pid, "SIGKILL")'] },
  ])
  expect(failed).toEqual(['broken', 'killed'])
})
