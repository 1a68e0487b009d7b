/** `npm run world -- faults`: lets ordinary faults happen to a world of real and recorded nodes, and says what was decided. */
import { parseArgs } from 'node:util'

import { print } from './print.ts'
import { runOrdinaryFaults } from './world/ordinary-faults/run.ts'
import { formatReport } from './world/ordinary-faults/table.ts'

const help = `Lets ordinary faults happen to sixty services and says what was decided about them.

  npm run world -- faults               each fault once, side by side: three minutes
  npm run world -- faults --minutes 60  one fault each minute
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
})
const minutes = values.minutes === undefined ? null : Number(values.minutes)
const isUnderstood = positionals.length === 1 && positionals[0] === 'faults'

if (values.help === true || !isUnderstood) {
  print(help)
  process.exit(values.help === true ? 0 : 1)
}
if (minutes !== null && !(Number.isInteger(minutes) && minutes > 0)) {
  process.stderr.write('world: --minutes: expected a whole number above 0\n')
  process.exit(1)
}
const report = await runOrdinaryFaults({ minutes, report: (line) => print(line) })
print(formatReport(report))
process.exit(report.wrong.length + report.missed.length === 0 ? 0 : 1)
