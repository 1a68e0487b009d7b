/** `npm run decisions`: writes what was decided, as the data of the requirements says it, into the document beside them. */
import { decisionAreas } from '../tests/requirements.ts'
import { decisionsDocument } from '../tests/requirements/document.ts'
import { print } from './print.ts'

const path = 'tests/requirements/README.md'
await Bun.write(path, decisionsDocument(decisionAreas))
print(`Wrote ${path}`)
