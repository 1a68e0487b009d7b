import type { EndpointSpec } from '../../shared/endpoints.ts'
import { nameTaken, validateEndpoint } from './endpoint-changes.ts'
import type { EndpointChangeParts, RecordEndpointChange } from './endpoint-changes.ts'

/**
 * Creates an endpoint of the console and its audit entry in one transaction. Faults: `invalid_request` naming the field,
 * `conflict` for a name that is taken.
 */
export async function createEndpoint(
  deps: EndpointChangeParts,
  spec: EndpointSpec,
  record: RecordEndpointChange,
): Promise<void> {
  const { database, store, find, isInFile } = deps
  if (isInFile(spec.name) || find(spec.name) !== undefined) throw nameTaken()
  const endpoint = await validateEndpoint(deps, spec)
  await database.transaction(async (sql) => {
    if (!(await store.insert(sql, endpoint))) throw nameTaken()
    await store.notify(sql)
    await record(sql, { before: null, after: spec })
  })
}
