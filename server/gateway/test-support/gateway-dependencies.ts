import type { Connections } from '../../connections/connections.ts'
import type { ServedVirtualServers } from '../virtual-servers/virtual-tool-set.ts'
import { nextTurn } from '../../platform/turns.ts'
import type { RegistryQueries } from '../../registry/registry.ts'
import { activateRegistry } from '../../registry/active-registry.ts'
import { loadRegistry } from '../../registry/load.ts'
import { builtInFiles } from '../../registry/built-in.ts'

/** The product's own registry, without a database. */
export async function ownRegistry(): Promise<RegistryQueries> {
  const loaded = await loadRegistry(await builtInFiles(), { pause: nextTurn })
  const services = { list: () => [], version: () => 0, decisionOf: () => 'UNKNOWN' as const }
  const origin = { source: 'built-in', importedAt: null }
  return activateRegistry(loaded, origin, { nameOf: (chain) => chain, services, links: () => [] }).queries
}

/** Connections of a test that makes none: whoever asks for one gets an error. `ended` collects sessions that ended. */
export function noConnections(ended: string[] = []): Connections {
  return {
    connect: none,
    savedFor: async () => [],
    list: async () => [],
    changedConnections: async () => [],
    get: async () => null,
    create: none,
    updateLabel: none,
    keepContent: none,
    updateUse: none,
    delete: none,
    acceptTools: none,
    acceptedTools: none,
    listTools: none,
    callTool: none,
    refusalOf: none,
    passThrough: none,
    awaitConsent: none,
    oauth: {
      begin: none,
      finish: none,
      document: none,
      issuers: { list: none, set: none, remove: none },
    },
    endSession: (id) => void ended.push(id),
    toolServers: { list: async () => [], changes: none, accept: none },
    counts: () => ({ open: 0, underWay: 0 }),
    stop: () => undefined,
  }
}

/** Virtual servers of a test in which no account has one. */
export const noVirtualServers: ServedVirtualServers = {
  find: () => null,
  knownTools: none,
  currentTools: none,
  watch: none,
  callTool: none,
  withFixedArguments: none,
  refusalOf: none,
}

function none(): never {
  throw new TypeError('this test connects to nobody')
}
