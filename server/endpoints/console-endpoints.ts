import type { Family } from '../../shared/chains.ts'
import type { EndpointSpec, EndpointUpdate } from '../../shared/endpoints.ts'
import type { InvalidField } from '../../shared/faults.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { randomHex } from '../platform/ids.ts'
import { changeEndpointSpec } from './change-spec.ts'
import type { EndpointStore, StoredEndpoint } from './store.ts'

/** Keeps a change in the audit log, in the transaction that makes it. */
export type RecordEndpointChange = (sql: TransactionSql, change: EndpointChange) => Promise<void>

/** An endpoint before and after a change. Addresses and headers in it are secrets. */
export interface EndpointChange {
  readonly before: EndpointSpec | null
  readonly after: EndpointSpec | null
}

interface ConsoleEndpointsOptions {
  readonly database: Database
  readonly store: EndpointStore
  /** As this process knows them. */
  readonly find: (name: string) => StoredEndpoint | undefined
  readonly isInFile: (name: string) => boolean
  /** What is wrong with the meaning of a specification, and the family of its chain. */
  readonly check: (
    spec: EndpointSpec,
  ) => Promise<{ problems: readonly InvalidField[]; family: Family | null }>
  readonly countKeys: (sql: TransactionSql, name: string) => Promise<number>
}

export type ConsoleEndpoints = ReturnType<typeof createConsoleEndpoints>

/** Endpoints that operators make in the console: changes of them, each in one transaction with its record. */
export function createConsoleEndpoints(options: ConsoleEndpointsOptions) {
  const { database, store, find, isInFile, check, countKeys } = options

  async function checked(spec: EndpointSpec): Promise<StoredEndpoint> {
    const { problems, family } = await check(spec)
    if (problems.length > 0 || family === null) throw refused(problems)
    return { spec, family, revision: randomHex(8) }
  }

  function existing(name: string): StoredEndpoint {
    const stored = find(name)
    if (stored !== undefined) return stored
    if (isInFile(name)) throw fault('conflict', 'this endpoint is managed by the file: change it there')
    throw fault('not_found', 'there is no such endpoint')
  }

  return {
    /** How many query keys are for an endpoint. */
    keyCount: (name: string): Promise<number> => database.transaction((sql) => countKeys(sql, name)),

    /** Faults: `invalid_request` naming the field, `conflict` for a name that is taken. */
    async create(spec: EndpointSpec, record: RecordEndpointChange): Promise<void> {
      if (isInFile(spec.name) || find(spec.name) !== undefined) throw nameTaken()
      const endpoint = await checked(spec)
      await database.transaction(async (sql) => {
        if (!(await store.insert(sql, endpoint))) throw nameTaken()
        await store.notify(sql)
        await record(sql, { before: null, after: spec })
      })
    },

    /** Faults: `not_found`, `invalid_request` naming the field, `conflict` for one that was changed meanwhile. */
    async update(change: EndpointUpdate, record: RecordEndpointChange): Promise<void> {
      const before = existing(change.name)
      if (before.revision !== change.revision) throw changedMeanwhile()
      const changed = changeEndpointSpec(before.spec, change)
      if (changed.kind === 'problems') throw refused(changed.problems)
      const after = await checked(changed.spec)
      await database.transaction(async (sql) => {
        if (!(await store.replace(sql, after, before.revision))) throw changedMeanwhile()
        await store.notify(sql)
        await record(sql, { before: before.spec, after: after.spec })
      })
    },

    /** Faults: `not_found`, `conflict` while query keys use it. */
    async remove(name: string, record: RecordEndpointChange): Promise<void> {
      const before = existing(name)
      await database.transaction(async (sql) => {
        const count = isInFile(name) ? 0 : await countKeys(sql, name) // one of the file goes on under this name
        if (count > 0) throw inUse(count)
        if (!(await store.remove(sql, name))) throw fault('not_found', 'there is no such endpoint')
        await store.notify(sql)
        await record(sql, { before: before.spec, after: null })
      })
    },
  }
}

function refused(problems: readonly InvalidField[]) {
  const text = problems.map(({ path, message }) => `${fieldName(path)}: ${message}`).join('; ')
  return fault('invalid_request', text, { fields: problems })
}

/** `upstreams[0].service` */
const fieldName = (path: InvalidField['path']): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('')

const nameTaken = () =>
  fault('conflict', 'name: taken by another endpoint', {
    fields: [{ path: ['name'], message: 'taken by another endpoint' }],
  })

const changedMeanwhile = () =>
  fault('conflict', 'somebody else has changed this endpoint meanwhile: look at it again')

const inUse = (count: number) =>
  fault(
    'conflict',
    count === 1
      ? '1 query key uses this endpoint: delete it first'
      : `${count} query keys use this endpoint: delete them first`,
  )
