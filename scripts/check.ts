/** `npm run check`: every gate that needs no running server. Exits 1 when one of them fails. */
import { ruleChecks, runChecks, staticChecks } from './check/checks.ts'
import { print } from './print.ts'

const failed = await runChecks([...staticChecks, ...ruleChecks])
print(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
