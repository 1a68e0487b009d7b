import type { KnownToolServer } from '../../shared/tool-servers.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import type { Author } from '../keys/changes.ts'
import type { Log } from '../platform/log.ts'
import type { ToolFinding } from './call-results.ts'
import type { DownstreamService } from './downstream-service.ts'
import { type KnownServer, createKnownServerStore } from './known-server-store.ts'
import type { RecordConnectionAudit } from './saved/audit-entries.ts'
import {
  type Pins,
  type SeenList,
  accepted,
  acceptedAs,
  changedNames,
  changesIn,
  isKnownList,
  toolNamesIn,
  pinned,
  removedNames,
} from './tools/pins.ts'
import type { Definition } from './tools/read-tools.ts'
import { scanDefinition } from './tools/scan-definition.ts'
import { seenFingerprint } from './tools/stored-pins.ts'

/**
 * Remembers the tool servers that are listed as open, and asked for credentials all the same. Only such a server gets a
 * credential that was offered under its own key; any other open one gets none, whatever is offered.
 */
export interface ChallengedServers {
  note(service: DownstreamService): void
  readonly urls: ReadonlySet<string>
}

/**
 * What the installation remembers of tool servers, whoever asked them: over sessions, processes and restarts. Definitions
 * are those that were read without credentials. What a server shows to credentials belongs to their account, and may
 * differ from account to account, so it is compared for each saved connection alone.
 */
export interface KnownServers {
  readonly challenged: ChallengedServers
  /** The definitions that anybody sees; null when nobody has listed them. */
  pinsOf(url: string): Pins | null
  /** Compares a list that was read without credentials with the accepted one, and stores it. Never rejects. */
  pin(service: DownstreamService, seen: SeenList, tools: readonly Definition[]): Promise<Pins>
  list(): Promise<KnownToolServer[]>
  /** Returns the changed tools as they were accepted and as they are now. Fault: `not_found`. */
  changes(url: string): Promise<KnownServerChanges>
  /** Accepts the list with this fingerprint. Faults: `not_found`; `conflict` when another one was seen since. */
  accept(author: Omit<Author, 'accountId'>, url: string, fingerprint: string): Promise<void>
  stop(): void
}

/** The tools of a server that are not what was accepted. All texts are the tool server's. */
export interface KnownServerChanges extends KnownToolServer {
  /** Of the lists as they are now. */
  readonly fingerprint: string
  readonly tools: readonly ChangedTool[]
}

interface ChangedTool {
  readonly name: string
  /** False: it was accepted as another one, or is gone. */
  readonly isNew: boolean
  /** Null where there is none, or it was not kept. */
  readonly before: unknown
  readonly after: unknown
  readonly findings: readonly ToolFinding[]
}

interface KnownServersOptions {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly record: RecordConnectionAudit
}

/** The time after which this process knows what another one has stored. */
const readAgainMs = 5_000

export function createKnownServers({ database, clock, log, record }: KnownServersOptions): KnownServers {
  const store = createKnownServerStore(database)
  const known = new Map<string, KnownServer>()
  const challengedUrls = new Set<string>()
  const timer = setInterval(() => void readAll(), readAgainMs)
  timer.unref()
  void readAll()

  async function readAll(): Promise<void> {
    try {
      for (const server of await store.list()) {
        known.set(server.url, server)
        if (server.challengedAt !== null) challengedUrls.add(server.url)
      }
    } catch (error) {
      log.debug('what is known of tool servers was not read', { error })
    }
  }

  const remember = (service: DownstreamService, change: Partial<KnownServer>): void => {
    const { url, serviceId, name } = service
    const before = known.get(url) ?? { url, serviceId, name, challengedAt: null, changedAt: null, pins: null }
    known.set(url, { ...before, ...change })
  }

  const unnoted = (error: unknown): void =>
    log.warn('what is known of a tool server was not stored', { error })

  return {
    challenged: {
      note(service) {
        if (challengedUrls.has(service.url)) return
        challengedUrls.add(service.url)
        const challengedAt = Math.floor(clock.now())
        remember(service, { challengedAt })
        store.saveChallenged(service, challengedAt).catch(unnoted)
      },
      urls: challengedUrls,
    },
    pinsOf: (url) => known.get(url)?.pins ?? null,
    async pin(service, seen, tools) {
      const last = known.get(service.url)?.pins ?? null
      if (last !== null && isKnownList(last, seen)) return last
      const now = Math.floor(clock.now())
      const pins = await store.savePins(service, seen, tools, now).catch((error: unknown) => {
        unnoted(error)
        return pinned(last, seen)
      })
      remember(service, { pins })
      return pins
    },
    list: async () => (await store.list()).map(viewOf),
    async changes(url) {
      const found = await store.find(url)
      if (found === null || found.pins === null) throw unknownServer()
      const { pins, definitions } = found
      const definitionOf = (fingerprint: string | undefined): unknown =>
        definitions[fingerprint ?? ''] ?? null
      const changed = changesIn(pins).map(({ name, before, after: fingerprint }) => {
        const after = definitionOf(fingerprint)
        const findings = scanDefinition({ ...Object(after), name })
        return { name, isNew: before === undefined, before: definitionOf(before), after, findings }
      })
      const removed = removedNames(pins).map((name) => {
        const before = definitionOf(acceptedAs(pins, name)[0])
        return { name, isNew: false, before, after: null, findings: [] }
      })
      return {
        ...viewOf(found),
        fingerprint: seenFingerprint(pins),
        tools: [...changed, ...removed],
      }
    },
    async accept({ actor, ip, requestId }, url, fingerprint) {
      await database.transaction(async (sql) => {
        const server = await store.lock(sql, url)
        if (server === null || server.pins === null) throw unknownServer()
        if (seenFingerprint(server.pins) !== fingerprint) throw anotherList()
        const { serviceId, pins } = server
        await store.saveAccepted(sql, url, accepted(pins))
        await record(sql, {
          actor,
          action: 'tool_server.accept_tools',
          subject: { kind: 'tool_server', id: serviceId },
          before: { url, changedTools: changedNames(pins), removedTools: removedNames(pins) },
          after: { url, tools: toolNamesIn(pins.seen).length },
          ip,
          requestId,
        })
      })
      await readAll()
    },
    stop: () => clearInterval(timer),
  }
}

const viewOf = ({ url, serviceId, name, challengedAt, changedAt, pins }: KnownServer): KnownToolServer => ({
  url,
  serviceId,
  name,
  challengedAt,
  changedAt,
  toolCount: pins === null ? null : toolNamesIn(pins.seen).length,
  changedTools: pins === null ? [] : changedNames(pins),
  removedTools: pins === null ? [] : removedNames(pins),
})

const unknownServer = () => fault('not_found', 'The tools of no such tool server were listed')

const anotherList = () =>
  fault(
    'conflict',
    'The tools have changed again since they were shown: look at them once more, then accept them',
  )
