import type { Family } from '../../shared/chains.ts'
import type { EndpointSpec } from '../../shared/endpoints.ts'
import type { InvalidField } from '../../shared/faults.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { randomHex } from '../platform/ids.ts'
import type { EndpointStore, StoredEndpoint } from './store.ts'

/** Appends a change to the audit log, in the transaction that makes it. */
export type RecordEndpointChange = (sql: TransactionSql, change: EndpointChange) => Promise<void>

/** An endpoint before and after a change. Its addresses and headers are secrets. */
export interface EndpointChange {
  readonly before: EndpointSpec | null
  readonly after: EndpointSpec | null
}

/** What creating, updating and removing endpoints of the console need. */
export interface EndpointChangeParts {
  readonly database: Database
  readonly store: EndpointStore
  /** Returns an endpoint of the console from memory. */
  readonly find: (name: string) => StoredEndpoint | undefined
  readonly isInFile: (name: string) => boolean
  /** Returns the problems in the meaning of a specification, and the family of its chain. */
  readonly check: (
    spec: EndpointSpec,
  ) => Promise<{ problems: readonly InvalidField[]; family: Family | null }>
  readonly countKeys: (sql: TransactionSql, name: string) => Promise<number>
}

/** Returns the endpoint to store, with a new revision. Fault: `invalid_request` naming each field. */
export async function validateEndpoint(
  { check }: Pick<EndpointChangeParts, 'check'>,
  spec: EndpointSpec,
): Promise<StoredEndpoint> {
  const { problems, family } = await check(spec)
  if (problems.length > 0 || family === null) throw invalidEndpoint(problems)
  return { spec, family, revision: randomHex(8) }
}

/** Returns an endpoint that can be changed here. Faults: `not_found`, `conflict` for one of the configuration file. */
export function findChangeable(
  { find, isInFile }: Pick<EndpointChangeParts, 'find' | 'isInFile'>,
  name: string,
): StoredEndpoint {
  const stored = find(name)
  if (stored !== undefined) return stored
  if (isInFile(name)) throw fault('conflict', 'this endpoint is managed by the file: change it there')
  throw fault('not_found', 'there is no such endpoint')
}

/** Returns the fault of a specification that is not valid; it names each field. */
export function invalidEndpoint(problems: readonly InvalidField[]) {
  const text = problems.map(({ path, message }) => `${fieldName(path)}: ${message}`).join('; ')
  return fault('invalid_request', text, { fields: problems })
}

/** Returns a path such as `upstreams[0].service`. */
const fieldName = (path: InvalidField['path']): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('')

export const nameTaken = () =>
  fault('conflict', 'name: taken by another endpoint', {
    fields: [{ path: ['name'], message: 'taken by another endpoint' }],
  })

export const changedMeanwhile = () =>
  fault('conflict', 'somebody else has changed this endpoint meanwhile: look at it again')
