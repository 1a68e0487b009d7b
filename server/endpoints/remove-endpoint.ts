import { fault } from '../platform/fault.ts'
import { type EndpointChangeParts, type RecordEndpointChange, findChangeable } from './endpoint-changes.ts'

/**
 * Removes an endpoint of the console and adds an audit entry in one transaction. Faults: `not_found`, `conflict` while
 * query keys use it.
 */
export async function removeEndpoint(
  deps: EndpointChangeParts,
  name: string,
  record: RecordEndpointChange,
): Promise<void> {
  const { database, store, isInFile, countKeys } = deps
  const before = findChangeable(deps, name)
  await database.transaction(async (sql) => {
    // With an endpoint of the file under the same name, its query keys go on working.
    const count = isInFile(name) ? 0 : await countKeys(sql, name)
    if (count > 0) throw inUse(count)
    if (!(await store.remove(sql, name))) throw fault('not_found', 'there is no such endpoint')
    await store.notify(sql)
    await record(sql, { before: before.spec, after: null })
  })
}

const inUse = (count: number) =>
  fault(
    'conflict',
    count === 1
      ? '1 query key uses this endpoint: delete it first'
      : `${count} query keys use this endpoint: delete them first`,
  )
