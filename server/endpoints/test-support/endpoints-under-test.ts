import { randomBytes } from 'node:crypto'

import type { Chain } from '../../../shared/chains.ts'
import type { Decision } from '../../../shared/health.ts'
import { GatehouseFile } from '../../../shared/gatehouse-file.ts'
import { silentLog } from '../../../scripts/world/database.ts'
import { testChain } from '../../health/test-support/fixtures.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { createEgress } from '../../platform/egress.ts'
import type { Log } from '../../platform/log.ts'
import { createVault } from '../../platform/vault.ts'
import type { KnownService } from '../check.ts'
import { createEndpointUsage } from '../endpoint-usage.ts'
import { createEndpoints } from '../endpoints.ts'

const vault = createVault([randomBytes(32)])

/** What endpoints refer to, to be changed at will; several processes of an installation may share it. */
export function createTestWorld() {
  const chains = new Map<string, Chain>([['testnet', testChain({ chainId: 31337 })]])
  const services = new Map<string, KnownService>()
  const decisions = new Map<string, Decision>()
  const findChain = (key: string) => chains.get(key)
  const findService = (id: string) => services.get(id)
  const world = { keys: 0, servicesVersion: 0, warnings: [] as string[] }

  return Object.assign(world, {
    chains,
    decisions,
    putService(id: string, more: Partial<KnownService> = {}) {
      const endpoint = `https://${id}.example/`
      services.set(id, { id, chain: 'testnet', family: 'evm', endpoint, headers: {}, ...more })
      world.servicesVersion++
    },
    removeService(id: string) {
      services.delete(id)
      world.servicesVersion++
    },

    /** One process of the installation. */
    async start(database: Database) {
      const egress = createEgress({ clock: systemClock, allowPrivate: ['127.0.0.0/8'], schemes: ['http'] })
      const log: Log = { ...silentLog, warn: (text) => void world.warnings.push(text) }
      const endpoints = await createEndpoints({
        database,
        vault,
        clock: systemClock,
        log,
        world: {
          findChain,
          services: {
            find: findService,
            version: () => world.servicesVersion,
            decisionOf: (id) => decisions.get(id) ?? 'UNKNOWN',
          },
          egress,
          refusalOf: async (address) => (address.includes('10.0.0.1') ? 'a private address' : null),
          countKeys: async () => world.keys,
          address: () => 'https://gate.example',
          methods: {
            knownMethodsOf: () => ({
              ordinary: ['eth_call'],
              nodeControl: ['admin_*'],
              keyUse: ['eth_sign'],
            }),
            builtInPricesOf: () => ({ eth_getLogs: 60 }),
          },
          budgetUse: () => null,
          usage: createEndpointUsage(),
        },
      })
      endpoints.start()
      return {
        ...endpoints,
        /** Checks a file and makes it active. */
        async apply(file: object): Promise<void> {
          const content = GatehouseFile.parse(file)
          const problems = await endpoints.checkFile(content.endpoints, { findChain, findService })
          if (problems.length > 0) throw new Error(JSON.stringify(problems))
          endpoints.applyFile(content)
        },
        async stop() {
          await endpoints.stop()
          egress.close()
        },
      }
    },
  })
}

export type TestWorld = ReturnType<typeof createTestWorld>
export type TestEndpoints = Awaited<ReturnType<TestWorld['start']>>
