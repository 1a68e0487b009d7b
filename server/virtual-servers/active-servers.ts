import { isDeepStrictEqual } from 'node:util'

import type { VirtualServerOrigin, VirtualServerSpec } from '../../shared/virtual-servers.ts'
import type { StoredVirtualServer } from './store.ts'
import type { AccountServer } from './tool-sets.ts'

/** A virtual server as an account finds it, and who described it. */
export interface ActiveVirtualServer extends AccountServer {
  readonly managedBy: VirtualServerOrigin
  /** Epoch ms; null where it is not stored. */
  readonly updatedAt: number | null
}

export type ActiveVirtualServers = ReturnType<typeof createActiveVirtualServers>

/** The gateway's own five tools are such a set, too. */
const builtIn: VirtualServerSpec = {
  name: 'gateway',
  title: 'Gateway',
  mode: 'all',
  members: [{ gateway: true, prefix: '', others: 'allow', tools: [] }],
}

const ownServer = ({ accountId, spec, updatedAt }: StoredVirtualServer): ActiveVirtualServer => ({
  accountId,
  spec,
  managedBy: 'account',
  updatedAt,
})

/**
 * The virtual servers of all accounts in memory, with those of the installation's file. No call asks the database.
 */
export function createActiveVirtualServers() {
  let ofAccounts = new Map<string, Map<string, StoredVirtualServer>>()
  let ofFile: readonly VirtualServerSpec[] = []

  const common = (accountId: string): ActiveVirtualServer[] => [
    ...ofFile.map((spec) => ({ accountId, spec, managedBy: 'file' as const, updatedAt: null })),
    ...(ofFile.some(({ name }) => name === builtIn.name)
      ? []
      : [{ accountId, spec: builtIn, managedBy: 'built_in' as const, updatedAt: null }]),
  ]

  const revisionsOf = (servers: typeof ofAccounts): Map<string, StoredVirtualServer> =>
    new Map([...servers.values()].flatMap((names) => [...names.values()].map((one) => [one.revision, one])))

  return {
    /** Replaces those of accounts. Returns what was changed or removed. */
    setStored(stored: readonly StoredVirtualServer[]): StoredVirtualServer[] {
      const before = revisionsOf(ofAccounts)
      const now = new Map<string, Map<string, StoredVirtualServer>>()
      for (const read of stored) {
        const known = before.get(read.revision) ?? read // what did not change stays the same object
        before.delete(read.revision)
        const names = now.get(read.accountId) ?? new Map<string, StoredVirtualServer>()
        names.set(read.spec.name, known)
        now.set(read.accountId, names)
      }
      ofAccounts = now
      return [...before.values()]
    },

    /** Replaces those of the installation's file. What did not change stays the same object. */
    setOfFile(specs: readonly VirtualServerSpec[]): void {
      const before = ofFile
      ofFile = specs.map((spec) => before.find((one) => isDeepStrictEqual(one, spec)) ?? spec)
    },

    /** An account's own comes before one of the file, which may have been added later. */
    find(accountId: string, name: string): ActiveVirtualServer | null {
      const stored = ofAccounts.get(accountId)?.get(name)
      if (stored !== undefined) return ownServer(stored)
      return common(accountId).find(({ spec }) => spec.name === name) ?? null
    },

    /** Whether the installation itself has one of that name. */
    isCommon: (name: string): boolean => common('').some(({ spec }) => spec.name === name),

    /** Lists those of one account by name, then the common ones. */
    list(accountId: string): ActiveVirtualServer[] {
      const names = ofAccounts.get(accountId) ?? new Map<string, StoredVirtualServer>()
      const rest = common(accountId).filter(({ spec }) => !names.has(spec.name))
      return [...[...names.values()].map(ownServer), ...rest]
    },

    /** Lists those of every account. */
    all: (): ActiveVirtualServer[] =>
      [...ofAccounts.values()].flatMap((names) => [...names.values()].map(ownServer)),
  }
}
