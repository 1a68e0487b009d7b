/** `npm run decisions`: writes what was decided, as the data of the requirements says it, into the document beside them. */
import { decisionAreas } from '../tests/requirements.ts'
import { decisionsDocument } from '../tests/requirements/document.ts'
import { print } from './print.ts'
import { readScriptArguments } from './script-arguments.ts'

const help = `Writes what was decided, as the data in tests/requirements/ says it, into tests/requirements/README.md.

  npm run decisions
`

readScriptArguments({ name: 'decisions', help }, {})
const path = 'tests/requirements/README.md'
await Bun.write(path, decisionsDocument(decisionAreas))
print(`Wrote ${path}`)
