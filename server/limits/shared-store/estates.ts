import type { Log } from '../../platform/log.ts'
import { ignoreLoss } from '../../platform/shared-store/store-link.ts'
import type { Account, Accounts } from './accounts.ts'
import { type Departed, nameOf, type Roster } from './roster.ts'

/**
 * What departed nodes were granted, remembered by those that live on: they post it when the store has forgotten it. It
 * is read after a node has lost its seat, and so nothing was granted to it since.
 */
export interface Estates {
  /** Reads what is not known yet, in the background, and forgets whom the roster no longer holds. */
  follow(roster: Roster): void
  /** Departed nodes of which everything is known. */
  known(): readonly Departed[]
  accounts(): Iterable<Account>
}

interface Estate {
  readonly departed: Departed
  readonly accounts: readonly Account[]
}

/** About 0.5 kB each. What is not remembered for want of room is waited for after a loss, as if nobody had known it. */
const maxAccounts = 200_000

export function createEstates(accounts: Accounts, log: Log): Estates {
  const estates = new Map<string, Estate>()
  let size = 0
  let isReading = false

  function forgetOthers(departed: readonly Departed[]): void {
    const names = new Set(departed.map(nameOf))
    for (const [name, estate] of estates) {
      if (names.has(name)) continue
      estates.delete(name)
      size -= estate.accounts.length
    }
  }

  function forgetWhatIsOver(): void {
    size = 0
    for (const [name, { departed, accounts: before }] of estates) {
      const left = before.filter(accounts.counts)
      estates.set(name, { departed, accounts: left })
      size += left.length
    }
  }

  async function readAll({ epoch, departed }: Roster): Promise<void> {
    if (departed.every((one) => estates.has(nameOf(one)))) return
    forgetWhatIsOver()
    for (const one of departed) {
      if (estates.has(nameOf(one))) continue
      const read = await readOne(epoch, one)
      if (read === null) return
      estates.set(nameOf(one), { departed: one, accounts: read })
      size += read.length
      log.info('what a process that is gone was granted is remembered', { limits: read.length })
    }
  }

  /** Null: there is no room. */
  async function readOne(epoch: string, { nodeId }: Departed): Promise<Account[] | null> {
    // By ring: a store may give the same one twice while it is looked through.
    const byRing = new Map<string, Account>()
    for await (const some of accounts.read(epoch, nodeId)) {
      for (const account of some) if (accounts.counts(account)) byRing.set(account.ring, account)
      if (size + byRing.size > maxAccounts) return null
    }
    return [...byRing.values()]
  }

  return {
    follow(roster) {
      forgetOthers(roster.departed)
      if (isReading) return
      isReading = true
      void readAll(roster)
        // The next beat tries again.
        .catch(ignoreLoss)
        .finally(() => {
          isReading = false
        })
    },
    known: () => [...estates.values()].map(({ departed }) => departed),
    *accounts() {
      for (const estate of estates.values()) yield* estate.accounts
    },
  }
}
