import type { EndpointUpdate } from '../../shared/endpoints.ts'
import { changeEndpointSpec } from './change-spec.ts'
import { changedMeanwhile, findChangeable, invalidEndpoint, validateEndpoint } from './endpoint-changes.ts'
import type { EndpointChangeParts, RecordEndpointChange } from './endpoint-changes.ts'

/**
 * Changes an endpoint of the console and adds an audit entry in one transaction. Faults: `not_found`, `invalid_request`
 * naming the field, `conflict` when its revision is not the one that the change was made of.
 */
export async function updateEndpoint(
  deps: EndpointChangeParts,
  change: EndpointUpdate,
  record: RecordEndpointChange,
): Promise<void> {
  const { database, store } = deps
  const before = findChangeable(deps, change.name)
  if (before.revision !== change.revision) throw changedMeanwhile()
  const changed = changeEndpointSpec(before.spec, change)
  if (changed.kind === 'problems') throw invalidEndpoint(changed.problems)
  const after = await validateEndpoint(deps, changed.spec)
  await database.transaction(async (sql) => {
    if (!(await store.replace(sql, after, before.revision))) throw changedMeanwhile()
    await store.notify(sql)
    await record(sql, { before: before.spec, after: after.spec })
  })
}
