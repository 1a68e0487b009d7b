/** `npm run check`: every gate that needs no running server. Exits 1 when one of them fails. */
import { ruleChecks, runChecks, staticChecks } from './check/checks.ts'
import { print } from './print.ts'
import { readScriptArguments } from './script-arguments.ts'

const help = `Checks format, lint, types, structure and the rules of the tree, which need no running server.

  npm run check
`

readScriptArguments({ name: 'check', help }, {})
const failed = await runChecks([...staticChecks, ...ruleChecks])
print(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
