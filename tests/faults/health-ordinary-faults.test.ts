// Mostly waits: for a minute and more in which sixty services may not change.
import { expect, test } from 'bun:test'

import { runOrdinaryFaults } from '../../scripts/world/ordinary-faults/run.ts'
import { formatReport } from '../../scripts/world/ordinary-faults/table.ts'
import { covers } from '../support/covers.ts'

/**
 * Sixty services of 22 families at default settings, watched by three verifiers, and what happens to nodes in ordinary
 * life: each of it once, in about two and a half minutes. `npm run world -- faults --minutes 60` takes its time.
 */

test('no ordinary fault is missed, and none makes anything else DOWN', async () => {
  covers('health-transition-to-down')
  const report = await runOrdinaryFaults({ minutes: null })
  const table = formatReport(report)
  expect([report.wrong, table]).toEqual([[], table])
  expect([report.missed, table]).toEqual([[], table])
  for (const { fault, expected, decided } of report.installation)
    expect([fault, decided]).toEqual([fault, expected])
  expect(report.services).toBe(60)
  expect(report.families).toBeGreaterThanOrEqual(12)
  expect(report.untouched).toBeGreaterThanOrEqual(20)
  if (process.env['CI'] === 'true') expect(report.leftOut).toEqual([])
  else if (report.leftOut.length > 0) process.stdout.write(`left out: ${report.leftOut.join(', ')}\n`)
}, 300_000)
