import type { EndpointSpec } from '../../shared/endpoints.ts'
import type { InvalidField } from '../../shared/faults.ts'
import { checkEndpoint } from './check.ts'
import type { References } from './check.ts'

/** Why the guarded fetch would refuse an http address; null where it would not. */
type RefusalOf = (address: string) => Promise<string | null>

/** What is wrong with an endpoint by meaning, and by where its addresses lead. */
export async function findProblems(
  spec: EndpointSpec,
  references: References,
  refusalOf: RefusalOf,
): Promise<InvalidField[]> {
  const problems = checkEndpoint(spec, references)
  for (const [index, { url, ws }] of spec.upstreams.entries()) {
    for (const [field, address] of Object.entries({ url, ws })) {
      const message = address === undefined ? null : await refusalOf(address.replace(/^ws/, 'http'))
      if (message !== null) problems.push({ path: ['upstreams', index, field], message })
    }
  }
  return problems
}

/** The same of all endpoints of the file, whose names must differ. */
export async function findFileProblems(
  specs: readonly EndpointSpec[],
  references: References,
  refusalOf: RefusalOf,
): Promise<InvalidField[]> {
  const names = specs.map(({ name }) => name)
  const problems = await Promise.all(
    specs.map(async (spec, index) => {
      const found =
        names.indexOf(spec.name) < index
          ? [{ path: ['name'], message: 'used twice in this file' }]
          : await findProblems(spec, references, refusalOf)
      return found.map(({ path, message }) => ({ path: ['endpoints', index, ...path], message }))
    }),
  )
  return problems.flat()
}
