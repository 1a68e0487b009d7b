import type { InvalidField } from '../../shared/faults.ts'
import { type VirtualServerSpec, virtualServerBounds } from '../../shared/virtual-servers.ts'
import type { Connections, DownstreamServices } from '../connections/connections.ts'
import type { Author } from '../keys/changes.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { TransactionSql } from '../platform/database.ts'
import { type Fault, fault } from '../platform/fault.ts'
import { randomHex } from '../platform/ids.ts'
import { describeFields } from '../platform/validation-text.ts'
import type { NameCollision } from './expose-tools.ts'
import type { ActiveVirtualServers } from './active-servers.ts'
import { memberName } from './member-name.ts'
import type { StoredVirtualServer, VirtualServerStore } from './store.ts'
import type { ToolSets } from './tool-sets.ts'

/** An entry of the audit log about a virtual server. Fixed arguments may be secrets and are counted only. */
export interface VirtualServerAuditEntry {
  readonly actor: Author['actor']
  readonly action: `virtual_server.${'create' | 'update' | 'delete'}`
  readonly subject: { readonly kind: 'virtual_server'; readonly id: string }
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly ip: string | null
  readonly requestId: string | null
}

/** Writes an entry to the audit log, in the transaction of the change. */
export type RecordVirtualServerAudit = (sql: TransactionSql, entry: VirtualServerAuditEntry) => Promise<void>

export interface VirtualServerChangesOptions {
  readonly replicas: Pick<KeyReplicas, 'change'>
  readonly store: VirtualServerStore
  readonly known: Pick<ActiveVirtualServers, 'isCommon'>
  readonly toolSets: Pick<ToolSets, 'read'>
  readonly connections: Pick<Connections, 'get'>
  readonly services: DownstreamServices
  readonly record: RecordVirtualServerAudit
  readonly now: () => number
}

/** A change that this process has applied, and whether all others that live have, too. */
export interface AppliedChange {
  readonly propagated: boolean
}

/** Creates the changes of virtual servers: each is one transaction with its audit entry, and waits for the other processes. */
export function createVirtualServerChanges(options: VirtualServerChangesOptions) {
  const { replicas, store, known, toolSets, connections, services, record, now } = options

  /** Returns what is wrong with the members; an empty list for none. */
  async function memberProblems(accountId: string, { members }: VirtualServerSpec): Promise<InvalidField[]> {
    const scope = { accountId, sessionId: '' }
    const found = await Promise.all(
      members.map(async ({ connection, service, chain }, index): Promise<InvalidField[]> => {
        const wrong = (field: string, message: string) => [{ path: ['members', index, field], message }]
        if (connection !== undefined) {
          const view = connection.startsWith('con_') ? await connections.get(scope, connection) : null
          return view === null ? wrong('connection', 'you have no such saved connection') : []
        }
        if (service === undefined) return []
        const listed = services.find(service, chain ?? null)
        if (listed === null) return wrong('service', 'the registry lists no such tool server')
        return listed.authType === 'none'
          ? []
          : wrong('service', 'this tool server wants credentials: save a connection to it, and choose that')
      }),
    )
    return found.flat()
  }

  async function check(accountId: string, spec: VirtualServerSpec): Promise<void> {
    const problems = await memberProblems(accountId, spec)
    if (problems.length > 0) throw fault('invalid_request', describeFields(problems), { fields: problems })
    const { collisions } = await toolSets.read({ accountId, spec })
    const [collision] = collisions
    if (collision !== undefined) throw sameName(collision, spec, services)
  }

  return {
    /**
     * Saves a virtual server. Faults: `invalid_request` naming each field; `conflict` for two tools of one name, for a name
     * that is taken, and for too many.
     */
    async save(author: Author, spec: VirtualServerSpec, isNew: boolean): Promise<AppliedChange> {
      const { accountId } = author
      if (known.isCommon(spec.name)) throw nameTaken('the installation has a virtual server of that name')
      await check(accountId, spec)
      const { propagated } = await replicas.change('virtual_server', async (sql) => {
        const all = await store.lock(sql, accountId)
        const before = all.find((one) => one.spec.name === spec.name)
        if (before !== undefined && isNew) throw nameTaken('you have a virtual server of that name')
        if (before === undefined && all.length >= virtualServerBounds.perAccount) throw tooMany()
        await store.save(sql, { accountId, spec, revision: randomHex(8), updatedAt: Math.floor(now()) })
        await record(sql, entryOf(author, before === undefined ? 'create' : 'update', before, { spec }))
        return { ids: [accountId], result: null }
      })
      return { propagated }
    },

    /** Removes a virtual server. Fault: `not_found`. */
    async remove(author: Author, name: string): Promise<AppliedChange> {
      const { propagated } = await replicas.change('virtual_server', async (sql) => {
        const all = await store.lock(sql, author.accountId)
        const before = all.find(({ spec }) => spec.name === name)
        if (before === undefined) throw noSuchServer()
        await store.remove(sql, author.accountId, name)
        await record(sql, entryOf(author, 'delete', before, undefined))
        return { ids: [author.accountId], result: null }
      })
      return { propagated }
    },
  }
}

type Described = Pick<StoredVirtualServer, 'spec'>

const entryOf = (
  { accountId, actor, ip, requestId }: Author,
  change: 'create' | 'update' | 'delete',
  before: Described | undefined,
  after: Described | undefined,
): VirtualServerAuditEntry => ({
  actor,
  action: `virtual_server.${change}`,
  subject: { kind: 'virtual_server', id: (after ?? before)?.spec.name ?? '' },
  ...(before !== undefined && { before: factsOf(accountId, before.spec) }),
  ...(after !== undefined && { after: factsOf(accountId, after.spec) }),
  ip,
  requestId,
})

const factsOf = (accountId: string, { name, title, instructions, mode, members }: VirtualServerSpec) => ({
  accountId,
  name,
  title: title ?? null,
  instructions: instructions ?? null,
  mode,
  members: members.map(({ tools, ...member }) => ({
    ...member,
    tools: tools.map(({ arguments: fixed, ...rule }) => ({
      ...rule,
      ...(fixed !== undefined && { fixedArguments: Object.keys(fixed) }),
    })),
  })),
})

/** Names both tools, and what can be done. */
function sameName(
  { name, first, second }: NameCollision,
  spec: VirtualServerSpec,
  services: DownstreamServices,
): Fault {
  const described = ({ tool, member }: NameCollision['first']): string =>
    `${tool} of member ${member + 1} (${memberName(spec.members[member], services)})`
  const message = `two tools would be called ${name}: ${described(first)} and ${described(second)}. Give one member a prefix, rename one of the tools, or leave one out`
  return fault('conflict', message, {
    fields: [{ path: ['members', second.member, 'prefix'], message }],
  })
}

const nameTaken = (message: string): Fault =>
  fault('conflict', `name: ${message}`, { fields: [{ path: ['name'], message }] })

export const noSuchServer = (): Fault => fault('not_found', 'There is no such virtual server')

const tooMany = (): Fault =>
  fault(
    'conflict',
    `An account has at most ${virtualServerBounds.perAccount} virtual servers: delete one first`,
  )
