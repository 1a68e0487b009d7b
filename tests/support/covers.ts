import { requirements } from '../requirements.ts'
import { threats } from '../requirements/threats.ts'

const known = new Set([
  ...requirements.map(({ id }) => id),
  ...[...threats.keys()].map((number) => `threat-${number}`),
])

/**
 * Says in the body of a test, or of a group, which behaviours of the specification it shows (`health-decision-values`) and
 * which threats of the threat table it counters (`threat-4`). Throws for an id that neither list has. The gate in
 * `tests/requirements.test.ts` reads these calls and fails for every behaviour and threat that no test names.
 */
export function covers(...ids: [string, ...string[]]): void {
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new Error(`covers() does not know ${unknown.join(', ')}`)
}
