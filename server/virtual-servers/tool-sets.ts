import type { VirtualServerSpec } from '../../shared/virtual-servers.ts'
import type { Scope } from '../connections/connections.ts'
import type { Clock } from '../platform/clock.ts'
import { withinDeadline, DeadlinePassed } from '../platform/deadline.ts'
import { createPeriodicJob } from '../platform/periodic-job.ts'
import { type ExposedTool, type MemberTools, type NameCollision, exposeTools } from './expose-tools.ts'
import type { ReadMemberTools } from './member-tools.ts'
import { type FindTools, createFindTools } from './search-tools.ts'

/** A virtual server as one account has it. */
export interface AccountServer {
  readonly accountId: string
  readonly spec: VirtualServerSpec
}

/** The tools of a virtual server at one time. */
export interface ToolSetSnapshot {
  readonly members: readonly MemberTools[]
  /** All tools, those of members that are away among them: a call to one is told why. */
  readonly tools: readonly ExposedTool[]
  readonly byName: ReadonlyMap<string, ExposedTool>
  readonly collisions: readonly NameCollision[]
  /** What clients see of the tools; another object whenever that changes. */
  readonly definitions: readonly ExposedTool['definition'][]
  readonly search: FindTools
}

export interface ToolSetSettings {
  /** The age (ms) at which tools are read again before they are listed. */
  readonly freshMs: number
  /** The time (ms) that a list waits for members that answered before. */
  readonly patienceMs: number
  /** The interval (ms) at which the tools of watched virtual servers are read. */
  readonly watchMs: number
}

export const defaultToolSetSettings: ToolSetSettings = { freshMs: 30_000, patienceMs: 3_000, watchMs: 60_000 }

export interface ToolSetsOptions {
  readonly readMember: ReadMemberTools
  readonly clock: Pick<Clock, 'monotonic'>
  readonly settings: ToolSetSettings
  readonly onFailed: (error: unknown) => void
}

interface Entry {
  readonly server: AccountServer
  snapshot: ToolSetSnapshot | null
  readAt: number
  reading: Promise<ToolSetSnapshot> | null
  readonly watchers: Set<() => void>
}

/** The most virtual servers whose tools this process remembers. */
const maxEntries = 2_000

const keyOf = (accountId: string, name: string): string => `${accountId} ${name}`

/**
 * The calls of a virtual server share one scope, as those of a saved connection do: its clients, whatever key they show,
 * are all its owner. No client of the gateway can have a session of that name.
 */
export const virtualScope = ({ accountId, spec }: AccountServer): Scope => ({
  accountId,
  sessionId: `virtual:${accountId}:${spec.name}`,
})

export type ToolSets = ReturnType<typeof createToolSets>

/** Remembers the tools of virtual servers, so that a call asks nobody what a name means. */
export function createToolSets({ readMember, clock, settings, onFailed }: ToolSetsOptions) {
  const entries = new Map<string, Entry>()

  function entryOf(server: AccountServer): Entry {
    const key = keyOf(server.accountId, server.spec.name)
    const known = entries.get(key)
    // A description that has changed makes another object, and its tools are read anew.
    if (known?.server.spec === server.spec) return known
    const watchers = known?.watchers ?? new Set()
    const entry: Entry = { server, snapshot: null, readAt: 0, reading: null, watchers }
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size > maxEntries) dropOldest()
    return entry
  }

  function dropOldest(): void {
    for (const [key, { watchers }] of entries) {
      if (watchers.size > 0) continue
      entries.delete(key)
      return
    }
  }

  async function readOnce(entry: Entry): Promise<ToolSetSnapshot> {
    const { server } = entry
    const before = entry.snapshot
    const scope = virtualScope(server)
    const members = await Promise.all(
      server.spec.members.map((member, index) => readMember(scope, member, before?.members[index])),
    )
    const snapshot = snapshotOf(server.spec, members, before)
    entry.snapshot = snapshot
    entry.readAt = clock.monotonic()
    if (before !== null && before.definitions !== snapshot.definitions)
      for (const told of entry.watchers) told()
    return snapshot
  }

  /** Reads the tools now, or joins those who do. */
  function read(entry: Entry): Promise<ToolSetSnapshot> {
    entry.reading ??= readOnce(entry).finally(() => {
      entry.reading = null
    })
    return entry.reading
  }

  const isFresh = ({ readAt }: Entry): boolean => clock.monotonic() - readAt < settings.freshMs

  const watching = createPeriodicJob(
    settings.watchMs,
    async () => {
      const watched = [...entries.values()].filter((entry) => entry.watchers.size > 0 && !isFresh(entry))
      await Promise.all(watched.map(read))
    },
    onFailed,
  )

  return {
    /** Returns the tools as far as they are in memory, and has them read again when they are old. */
    known(server: AccountServer): ToolSetSnapshot | null {
      const entry = entryOf(server)
      if (entry.snapshot !== null && !isFresh(entry)) read(entry).catch(onFailed)
      return entry.snapshot
    },

    /** Returns the tools, waiting a short time for new ones where old ones are known. */
    async current(server: AccountServer): Promise<ToolSetSnapshot> {
      const entry = entryOf(server)
      const { snapshot } = entry
      if (snapshot === null) return read(entry)
      if (isFresh(entry)) return snapshot
      try {
        return await withinDeadline(read(entry), settings.patienceMs)
      } catch (error) {
        if (error instanceof DeadlinePassed) return snapshot
        throw error
      }
    },

    /** Reads the tools now, and tells those who watch. */
    refreshed: (server: AccountServer): Promise<ToolSetSnapshot> => read(entryOf(server)),

    /** Reads the tools of a description that need not be saved. */
    async read(server: AccountServer): Promise<ToolSetSnapshot> {
      const members = await Promise.all(
        server.spec.members.map((member) => readMember(virtualScope(server), member, undefined)),
      )
      return snapshotOf(server.spec, members, null)
    },

    /** Calls back whenever clients see other tools, until the returned function is called. */
    watch(server: AccountServer, told: () => void): () => void {
      const { watchers } = entryOf(server)
      watchers.add(told)
      return () => void watchers.delete(told)
    },

    /** Returns the virtual servers whose tools are remembered, as they were described then. */
    remembered: (): AccountServer[] => [...entries.values()].map(({ server }) => server),

    /** Forgets the tools of a virtual server that was changed or removed, and tells those who watch it. */
    forget(accountId: string, name: string): void {
      const key = keyOf(accountId, name)
      const entry = entries.get(key)
      if (entry === undefined) return
      if (entry.watchers.size === 0) entries.delete(key)
      for (const told of entry.watchers) told()
    },

    start: watching.start,
    stop: watching.stop,
  }
}

function snapshotOf(
  spec: VirtualServerSpec,
  members: readonly MemberTools[],
  before: ToolSetSnapshot | null,
): ToolSetSnapshot {
  const { tools, collisions } = exposeTools(spec, members)
  const here = tools.filter(({ isAway }) => !isAway)
  const definitions = here.map(({ definition }) => definition)
  const isSame = before !== null && JSON.stringify(before.definitions) === JSON.stringify(definitions)
  let search: FindTools | null = null
  return {
    members,
    tools,
    byName: new Map(tools.map((tool) => [tool.definition.name, tool])),
    collisions,
    definitions: isSame ? before.definitions : definitions,
    /** Indexed at the first search, because most virtual servers show all of their tools. */
    search: (question) => {
      search ??= createFindTools(here)
      return search(question)
    },
  }
}
