import { createHttpApp } from '../../http/app.ts'
import { createAddressLimit } from '../../platform/http/address-limit.ts'
import type { DirectRoute } from '../../platform/http/direct-routes.ts'
import { parseTrustedProxies } from '../../platform/http/caller.ts'
import { listeningAddress } from '../../platform/http/public-address.ts'
import { systemClock } from '../../platform/clock.ts'
import { type Log, createLog } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createVault } from '../../platform/vault.ts'
import { type GatewayOptions, createGateway } from '../gateway.ts'
import type { GatewayApiKeys } from '../authentication.ts'
import { noVirtualServers } from './gateway-dependencies.ts'
import { loopbackHosts, noProxies } from '../../../tests/support/loopback-hosts.ts'

/** Puts routes behind a real server on a loopback port. */
export function serveRoutes(routes: readonly DirectRoute[], log: Log, proxies: readonly string[] = []) {
  const app = createHttpApp({
    plugins: [],
    directRoutes: routes,
    log,
    metrics: createMetrics(),
    clock: systemClock,
    trustedProxies: parseTrustedProxies(proxies),
    ownHosts: loopbackHosts,
    unnamedProxies: noProxies,
    readiness: () => ({}),
    metricsToken: 'metrics',
    isTls: false,
  })
  return app.listen({ host: '127.0.0.1', port: 0 })
}

type Given = Pick<GatewayOptions, 'registry' | 'connections'> &
  Partial<Pick<GatewayOptions, 'settings' | 'clock' | 'fleet' | 'virtualServers'>> & {
    /** Whose word about the address of the caller is believed. */
    readonly proxies?: readonly string[]
  }

/** API keys of the test: each `owner-…` works, `useless` lacks the permission. */
export function createTestKeys() {
  const disabled = new Set<string>()
  const listeners = new Set<(id: string) => void>()
  const keys: GatewayApiKeys = {
    isAnsweringFromMemory: () => true,
    isStillAllowed: async (_id, value) => value !== null && !disabled.has(value),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async authorize(value) {
      if (value === 'useless') return { kind: 'permission_missing' }
      if (value === null || !value.startsWith('owner-') || disabled.has(value)) return { kind: 'invalid' }
      return { kind: 'allowed', key: { id: `key-of-${value}`, name: value, accountId: `account-${value}` } }
    },
  }
  return {
    keys,
    /** Ends a key as the clock does: nobody is told. */
    expire: (value: string) => void disabled.add(value),
    disable(value: string) {
      disabled.add(value)
      for (const listener of listeners) listener(`key-of-${value}`)
    },
  }
}

/** The gateway behind a real server on a loopback port. `lines` collects its log. */
export function startGateway(given: Given) {
  const { registry, connections, settings = {}, clock = systemClock, proxies = [], fleet = null } = given
  const lines: string[] = []
  const log = createLog({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } })
  const metrics = createMetrics()
  const { keys, disable, expire } = createTestKeys()
  const gateway = createGateway({
    registry,
    connections,
    virtualServers: given.virtualServers ?? noVirtualServers,
    keys,
    wrongKeys: createAddressLimit(1_000, systemClock.monotonic),
    vault: createVault([Buffer.alloc(32, 7)]),
    clock,
    log,
    metrics,
    version: '0.0.0-test',
    address: () => listeningAddress(listener, 'test'),
    settings,
    fleet,
  })
  const listener = serveRoutes(gateway.routes, log, proxies)
  return {
    url: `http://127.0.0.1:${listener.port}`,
    gateway,
    lines,
    disableKey: disable,
    expireKey: expire,
    async stop() {
      await gateway.stop()
      await listener.stop(100)
    },
  }
}
