import { randomBytes } from 'node:crypto'

import type { IssuerClientForm } from '../../../shared/connections.ts'
import { createEgress } from '../../platform/egress.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import type { Author } from '../../keys/changes.ts'
import { publicAddress } from '../../platform/http/public-address.ts'
import type { Log } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createVault } from '../../platform/vault.ts'
import {
  type CallLink,
  type Connections,
  type DownstreamService,
  type OfferedCredentials,
  type PassedRequest,
  type Scope,
  type ToolCallHooks,
  createConnections,
} from '../connections.ts'
import { type DownstreamLimits, defaultDownstreamLimits } from '../downstream/limits.ts'
import type { ConnectionAuditEntry } from '../saved/audit-entries.ts'
import { type ConnectionSettings, defaultConnectionSettings } from '../settings.ts'

/** The domain with a real database and the real guarded fetch, and a registry of the test's own. */
export interface ConnectionsUnderTest {
  readonly connections: Connections
  readonly registry: TestRegistry
  /** What was written into the audit log. */
  readonly events: readonly ConnectionAuditEntry[]
  /** All that was logged, as text. */
  readonly logged: readonly string[]
  stop(): void
}

export interface TestRegistry {
  /** Adds or replaces a tool server. */
  put(service: Partial<DownstreamService> & { readonly url: string }): DownstreamService
  remove(serviceId: string): void
}

export interface TestConnectionsOptions {
  readonly limits?: Partial<DownstreamLimits>
  readonly settings?: Partial<Omit<ConnectionSettings, 'downstream'>>
  readonly allowPrivate?: readonly string[]
  readonly vaultKey?: Buffer
  /** The address of this installation. */
  readonly origin?: string
  /** Certificates in PEM that tool servers over TLS are trusted by. */
  readonly ca?: string
  readonly toolCalls?: ToolCallHooks
  /** Client ids that the installation's file gives. */
  readonly fileIssuers?: readonly IssuerClientForm[]
}

export function connectionsUnderTest({
  database,
  limits,
  settings,
  allowPrivate = ['127.0.0.0/8'],
  vaultKey = randomBytes(32),
  ca,
  toolCalls = {},
  origin = 'http://127.0.0.1:7000',
  fileIssuers = [],
}: TestConnectionsOptions & { readonly database: Database }): ConnectionsUnderTest {
  const services = new Map<string, DownstreamService>()
  const events: ConnectionAuditEntry[] = []
  const logged: string[] = []
  const egress = createEgress({
    clock: systemClock,
    allowPrivate,
    schemes: ['http', 'https'],
    ...(ca === undefined ? {} : { ca }),
    streamLimits: { timeoutMs: 3_600_000, maxBytes: Number.POSITIVE_INFINITY },
  })
  const connections = createConnections({
    database,
    vault: createVault([vaultKey]),
    clock: systemClock,
    log: logInto(logged),
    metrics: createMetrics(),
    settings: {
      ...defaultConnectionSettings,
      ...settings,
      downstream: { ...defaultDownstreamLimits, ...limits },
    },
    world: {
      services: {
        find: (serviceId, chain) =>
          [...services.values()]
            .filter(
              (service) => service.serviceId === serviceId && (chain === null || service.chain === chain),
            )
            .toSorted((one, other) => (one.chain < other.chain ? -1 : 1))[0] ?? null,
      },
      toolCalls,
      fetch: egress.fetch,
      record: async (_, event) => void events.push(event),
      address: () => publicAddress(origin),
      fileIssuers: () => fileIssuers,
    },
  })

  return {
    connections,
    registry: {
      put(service) {
        const whole: DownstreamService = { ...plainService, ...service }
        services.set(`${whole.serviceId} ${whole.chain}`, whole)
        return whole
      },
      remove(serviceId) {
        for (const [key, service] of services) if (service.serviceId === serviceId) services.delete(key)
      },
    },
    events,
    logged,
    stop() {
      connections.stop()
      egress.close()
    },
  }
}

const plainService = {
  serviceId: 'mcpservers:fixture',
  chain: 'ethereum',
  category: 'mcpservers',
  provider: 'fixture-labs',
  name: 'Fixture',
  transport: 'http',
  authType: 'none',
  credentialKey: null,
} as const

function logInto(lines: string[]): Log {
  const write = (message: string, fields?: Record<string, unknown>): void => {
    lines.push(`${message} ${JSON.stringify(fields, (_, value: unknown) => textOfError(value))}`)
  }
  return { debug: write, info: write, warn: write, error: write }
}

const textOfError = (value: unknown): unknown => (value instanceof Error ? `${value.stack}` : value)

export const nothingOffered: OfferedCredentials = { bag: new Map(), headers: new Map(), tokens: new Map() }

export const inBag = (provider: string, secret: string): OfferedCredentials => ({
  ...nothingOffered,
  bag: new Map([[provider, secret]]),
})

/** What the gateway makes of a request to `/mcp/c/<connection_id>`. */
export async function passedRequest(request: Request): Promise<PassedRequest> {
  const { method, headers, signal } = request
  return { method, headers, signal, body: method === 'POST' ? await request.bytes() : null }
}

/** A caller who waits for ever, unless something else is said. */
export const link = (parts: Partial<CallLink> = {}): CallLink => ({
  signal: new AbortController().signal,
  ...parts,
})

export const anonymous = (sessionId: string): Scope => ({ accountId: null, sessionId })

export const testAuthor = (accountId: string): Author => ({
  accountId,
  actor: { id: accountId, label: `wallet of ${accountId}` },
  ip: '192.0.2.1',
  requestId: 'request-1',
})

export const toService = (service: DownstreamService) => ({ kind: 'service', service }) as const
export const toConnection = (connectionId: string) => ({ kind: 'connection', connectionId }) as const
