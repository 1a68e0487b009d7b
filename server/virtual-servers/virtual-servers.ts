/**
 * Virtual servers: a named set of connections and tools under one address, `/mcp/v/<name>`. Its owner chooses the members
 * (saved connections, tool servers that want no credentials, the gateway's own five tools), and for each tool whether it is
 * there, its name, its description, and arguments that are always the same.
 *
 * A call takes these steps:
 * 1. The gateway (`gateway/virtual-servers/`) asks `find` for the virtual server of that account and name, which
 *    `active-servers.ts` has in memory; the change log of the keys tells of changes by other processes.
 * 2. `tool-sets.ts` knows what a name means: `member-tools.ts` has listed the tools of each member over the domain
 *    `connections`, and `expose-tools.ts` has given them names. What is older than half a minute is read again beside the
 *    call.
 * 3. `callTool` adds the fixed arguments and calls the member's tool as every other call of a tool server is made: with the
 *    same policy, record and limits.
 * A searchable virtual server shows three tools, with which an agent searches all others (`search-tools.ts`), reads and
 * calls them. Of 500 tools (`tests/support/many-tools.ts`) the list takes 31,000 tokens of four characters, and the three
 * take 340; of 20 questions, on which its weights were chosen, 16 have a right tool first and 19 among five (before: 9 and
 * 19; MiniSearch: 6 and 17). `changes.ts` saves and removes; `procedures.ts` is the console's and the command line's.
 *
 * Decisions. A name belongs to its account, not to the installation: nobody can take a name from others, nor find out which
 * names they have; an address opens what its caller has. Those of the installation's file are everybody's, so they have no
 * saved connections. Two tools never share a name: when it is saved that is refused; when a tool server adds such a tool
 * later, the one that was accepted keeps the name. All clients of one account share the connections of a virtual server.
 *
 * A tool whose calls the policies refuse stays in the list, marked with the refusal (`gatehouse/denied`), as in the answer of
 * `list_mcp_tools`.
 *
 * Failure: a member that is away leaves its tools out of lists, and calls to them are told why; the others are not
 * affected. Without the database everything goes on that is in memory, and changes are `unavailable`.
 *
 * A change is known to every process when the call that makes it returns, or the call says that it is not.
 *
 * Known limitations: resources and prompts of members are not passed on, only tools. A changed list of a member is noticed
 * within a minute, not at once. Fixed arguments are stored as they are, not sealed: a secret belongs into a connection. A
 * search finds words in the language of the tools' texts, and other forms of them in English only.
 */
import type {
  VirtualServerDetails,
  VirtualServerSpec,
  VirtualServerView,
} from '../../shared/virtual-servers.ts'
import type {
  CallLink,
  Connections,
  DownstreamServices,
  ListedTool,
  ToolCallResult,
} from '../connections/connections.ts'
import type { Author } from '../keys/changes.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import {
  type AppliedChange,
  type RecordVirtualServerAudit,
  createVirtualServerChanges,
  noSuchServer,
} from './changes.ts'
import { serverDetails, serverView } from './details.ts'
import type { ExposedTool } from './expose-tools.ts'
import { withFixedArguments } from './fixed-arguments.ts'
import { type ActiveVirtualServer, createActiveVirtualServers } from './active-servers.ts'
import { createReadMemberTools, noCredentials, memberTarget } from './member-tools.ts'
import { createVirtualServerStore } from './store.ts'
import {
  type AccountServer,
  type ToolSetSettings,
  type ToolSetSnapshot,
  createToolSets,
  defaultToolSetSettings,
  virtualScope,
} from './tool-sets.ts'

export type { RecordVirtualServerAudit } from './changes.ts'
export type { ExposedTool } from './expose-tools.ts'
export type { ActiveVirtualServer } from './active-servers.ts'
export type { ToolSetSnapshot } from './tool-sets.ts'

export interface VirtualServersOptions {
  readonly database: Database
  readonly replicas: KeyReplicas
  readonly clock: Clock
  readonly log: Log
  readonly settings?: Partial<ToolSetSettings>
  readonly world: {
    readonly connections: Pick<Connections, 'listTools' | 'callTool' | 'refusalOf' | 'get' | 'endSession'>
    readonly services: DownstreamServices
    /** The gateway's own five tools. */
    readonly ownTools: readonly ListedTool['definition'][]
    /** The three tools that a searchable virtual server shows. */
    readonly searchingTools: readonly unknown[]
    readonly record: RecordVirtualServerAudit
    /** `scheme://host[:port]` of this installation. */
    readonly origin: () => string
  }
}

export type VirtualServers = ReturnType<typeof createVirtualServers>

const memberTimeoutMs = 10_000

export function createVirtualServers(options: VirtualServersOptions) {
  const { database, replicas, clock, log, settings, world } = options
  const { connections, services, ownTools, record, origin } = world
  const store = createVirtualServerStore(database)
  const known = createActiveVirtualServers()
  const readMember = createReadMemberTools({ connections, services, ownTools, timeoutMs: memberTimeoutMs })
  const toolSets = createToolSets({
    readMember,
    clock,
    settings: { ...defaultToolSetSettings, ...settings },
    onFailed: (error) => log.warn('the tools of a virtual server could not be read', { error }),
  })

  /** Ends what was of a virtual server as it was described before, and tells its clients. */
  function forget(gone: AccountServer): void {
    connections.endSession(virtualScope(gone).sessionId)
    toolSets.forget(gone.accountId, gone.spec.name)
  }

  async function reload(): Promise<void> {
    for (const gone of known.setStored(await store.load())) forget(gone)
  }
  replicas.keySync.follow({ kind: 'virtual_server', reload, refresh: reload })

  const changes = createVirtualServerChanges({
    replicas,
    store,
    known,
    toolSets,
    connections,
    services,
    record,
    now: clock.now,
  })

  /** Fault: `not_found`. */
  function existing(accountId: string, name: string): ActiveVirtualServer {
    const server = known.find(accountId, name)
    if (server === null) throw noSuchServer()
    return server
  }

  return {
    /** Returns the virtual server of that name as the account has it; null where it has none. */
    find: known.find,
    /** Returns the tools as far as they are in memory, and has old ones read again beside the call. */
    knownTools: toolSets.known,
    currentTools: toolSets.current,
    /** Calls back whenever clients would see other tools. */
    watch: toolSets.watch,

    /** Says why calls of a tool with that key would be refused as the rules are now; null where they would not. */
    refusalOf({ accountId }: AccountServer, { members }: ToolSetSnapshot, tool: ExposedTool, keyId: string) {
      const source = members[tool.member]?.source ?? null
      return source === null ? null : connections.refusalOf({ accountId, keyId }, source, tool.listed)
    },

    withFixedArguments,

    /** Calls a tool of a member, never one of the gateway itself. */
    callTool(
      server: AccountServer,
      exposed: ExposedTool,
      given: Readonly<Record<string, unknown>>,
      { keyId, ...link }: CallLink & { readonly keyId: string },
    ): Promise<ToolCallResult> {
      const { member, tool } = exposed
      const described = server.spec.members[member]
      const target = described === undefined ? null : memberTarget(described, services)
      if (target === null)
        return Promise.resolve({ outcome: 'service_gone', serviceId: described?.service ?? tool })
      const call = { name: tool, arguments: withFixedArguments(exposed, given) }
      return connections.callTool({ ...virtualScope(server), keyId }, target, call, noCredentials, link)
    },

    list: (accountId: string): VirtualServerView[] =>
      known.list(accountId).map((server) => serverView(server, origin())),
    /** Lists those of every account, for operators. */
    all: (): (VirtualServerView & { readonly accountId: string })[] =>
      known.all().map((server) => ({ ...serverView(server, origin()), accountId: server.accountId })),
    /** Returns one with its tools as they are now. Fault: `not_found`. */
    async details(accountId: string, name: string): Promise<VirtualServerDetails> {
      const server = existing(accountId, name)
      return serverDetails(server, await toolSets.refreshed(server), world)
    },
    /** Saves a virtual server and returns it. Faults as `changes.save`. */
    async save(
      author: Author,
      spec: VirtualServerSpec,
      isNew: boolean,
    ): Promise<VirtualServerView & AppliedChange> {
      const applied = await changes.save(author, spec, isNew)
      return { ...serverView(existing(author.accountId, spec.name), origin()), ...applied }
    },
    /** Fault: `not_found`. */
    remove: changes.remove,

    /** Takes over the virtual servers of the installation's file. Clients of those that have changed are told. */
    applyFile(specs: readonly VirtualServerSpec[]): void {
      known.setOfFile(specs)
      for (const before of toolSets.remembered())
        if (known.find(before.accountId, before.spec.name)?.spec !== before.spec) forget(before)
    },

    /** Throws when the database is away. */
    async start(): Promise<void> {
      await replicas.keySync.sync()
      toolSets.start()
    },
    stop: toolSets.stop,
  }
}
