import type { EndpointSpec } from '../../shared/endpoints.ts'
import type { InvalidField } from '../../shared/faults.ts'
import { privateHostOf } from '../platform/egress/private-address.ts'
import { type References, checkEndpoint } from './check.ts'

/** Returns why the guarded fetch would refuse an http address, or null when it would not. */
type RefusalOf = (address: string) => Promise<string | null>

/** Returns the problems in the meaning of an endpoint and in the addresses of its upstreams. */
export async function findProblems(
  spec: EndpointSpec,
  references: References,
  refusalOf: RefusalOf,
): Promise<InvalidField[]> {
  const problems = checkEndpoint(spec, references)
  for (const [index, { url, ws }] of spec.upstreams.entries()) {
    for (const [field, address] of Object.entries({ url, ws })) {
      const message = address === undefined ? null : await refusalOf(address.replace(/^ws/, 'http'))
      if (address === undefined || message === null) continue
      problems.push({ path: ['upstreams', index, field], message, ...privateHostOf(address) })
    }
  }
  return problems
}

/** Returns the problems of all endpoints of the file, whose names must differ. */
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
