import type { Log } from '../../platform/log.ts'
import { ignoreLoss } from '../../platform/shared-store/store-failure.ts'
import type { LedgerEntry, LeaseLedger } from './lease-ledger.ts'
import { type Departed, nameOf, type MemberList } from './member-list.ts'

/**
 * The grants of departed nodes, which the remaining nodes remember and post again when the store has lost them. They
 * are read after the node has lost its confirmation, and so after its last grant.
 */
export interface GrantLog {
  /** Reads unknown grants in the background, and forgets nodes that are no longer in the member list. */
  follow(members: MemberList): void
  /** Returns the departed nodes whose grants are all known. */
  known(): readonly Departed[]
  entries(): Iterable<LedgerEntry>
}

interface NodeGrants {
  readonly departed: Departed
  readonly entries: readonly LedgerEntry[]
}

/**
 * Bounds the memory: an entry takes about 0.5 kB. A node whose grants do not fit is waited for after a loss, as if
 * nobody had known it.
 */
const maxEntries = 200_000

export function createGrantLog(ledger: LeaseLedger, log: Log): GrantLog {
  const grantLog = new Map<string, NodeGrants>()
  let size = 0
  let isReading = false

  function forgetOthers(departed: readonly Departed[]): void {
    const names = new Set(departed.map(nameOf))
    for (const [name, grants] of grantLog) {
      if (names.has(name)) continue
      grantLog.delete(name)
      size -= grants.entries.length
    }
  }

  function forgetWhatIsOver(): void {
    size = 0
    for (const [name, { departed, entries: before }] of grantLog) {
      const left = before.filter(ledger.counts)
      grantLog.set(name, { departed, entries: left })
      size += left.length
    }
  }

  async function readAll({ epoch, departed }: MemberList): Promise<void> {
    if (departed.every((one) => grantLog.has(nameOf(one)))) return
    forgetWhatIsOver()
    for (const one of departed) {
      if (grantLog.has(nameOf(one))) continue
      const read = await readOne(epoch, one)
      if (read === null) return
      grantLog.set(nameOf(one), { departed: one, entries: read })
      size += read.length
      log.info('what a process that is gone was granted is remembered', { limits: read.length })
    }
  }

  /** Reads the grants of a node; null when they do not fit. */
  async function readOne(epoch: string, { nodeId }: Departed): Promise<LedgerEntry[] | null> {
    // By ring: a store may give the same one twice while it is looked through.
    const byRing = new Map<string, LedgerEntry>()
    for await (const some of ledger.read(epoch, nodeId)) {
      for (const entry of some) if (ledger.counts(entry)) byRing.set(entry.ring, entry)
      if (size + byRing.size > maxEntries) return null
    }
    return [...byRing.values()]
  }

  return {
    follow(members) {
      forgetOthers(members.departed)
      if (isReading) return
      isReading = true
      void readAll(members)
        // The next beat tries again.
        .catch(ignoreLoss)
        .finally(() => {
          isReading = false
        })
    },
    known: () => [...grantLog.values()].map(({ departed }) => departed),
    *entries() {
      for (const grants of grantLog.values()) yield* grants.entries
    },
  }
}
