/**
 * Access to tool servers that have an authorization server of their own; this installation is its client.
 *
 * 1. The owner begins in the console (`consent.ts`): `discovery.ts` asks the tool server where its accounts are, and
 *    refuses what is not safe; `own-client.ts` says what we are called there, by `registrations.ts` (an operator's client
 *    id, our own document, or one that we register). The consent is pending in `oauth_away`, bound to account and web session.
 * 2. The browser comes back to `return-routes.ts`. The SDK compares issuers before the code goes anywhere, and
 *    `kept-access.ts` seals what it was exchanged for.
 * 3. A call takes its token from `access-memory.ts`; `access.ts` renews one that is about to end, or that the tool server
 *    refused: once in a process, and once over all processes by the lease in `access-store.ts`, outside of any transaction.
 *    `unstored-tokens.ts` keeps what the database does not take.
 * 4. Whoever deletes the connection forgets here first; then `revoke.ts` tells the other side.
 *
 * Failure: a refresh token that is over leaves the connection without tokens until its owner agrees again. An authorization
 * server that does not answer ends nothing. What other sides say of an error is shown nowhere.
 */
import type { IssuerClientForm } from '../../../shared/connections.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, TransactionSql } from '../../platform/database.ts'
import type { EgressFetch } from '../../platform/egress.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createPeriodicJob } from '../../platform/periodic-job.ts'
import type { Vault } from '../../platform/vault.ts'
import type { DownstreamServices } from '../downstream-service.ts'
import { isSameProvider } from '../find-route.ts'
import type { RecordConnectionAudit } from '../saved/audit-entries.ts'
import { type SavedConnections, gatewayAs } from '../saved/saved-connections.ts'
import type { StoredConnection } from '../store.ts'
import { createAccessStore } from './access-store.ts'
import { createOAuthAccess } from './access.ts'
import { createAwayStore } from './away-store.ts'
import { createBearerAccesses } from './bearer-accesses.ts'
import { createConsentWait } from './consent-wait.ts'
import { type ConsentingOwner, createOAuthConsent } from './consent.ts'
import { issuerFetch } from './discovery.ts'
import { createIssuerClients } from './issuer-clients.ts'
import { openAccess } from './kept-access.ts'
import { createOwnClient } from './own-client.ts'
import { createRegistrations } from './registrations.ts'
import { revokeThere } from './revoke.ts'
import { createUnstoredTokens } from './unstored-tokens.ts'

export interface ConnectionOAuthOptions {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly saved: SavedConnections
  readonly services: DownstreamServices
  readonly fetch: EgressFetch
  readonly record: RecordConnectionAudit
  readonly address: () => PublicAddress
  /** Client ids of the installation's file. */
  readonly fileIssuers: () => readonly IssuerClientForm[]
}

const cleaningEveryMs = 3_600_000

export type ConnectionOAuth = ReturnType<typeof createConnectionOAuth>

export function createConnectionOAuth(options: ConnectionOAuthOptions) {
  const { database, vault, clock, log, metrics, saved, services, record, address } = options
  const fetch = issuerFetch(options.fetch)
  const store = createAccessStore(database)
  const unstored = createUnstoredTokens(store, log)
  const away = createAwayStore(database)
  const registrations = createRegistrations(database, vault, options.fileIssuers)
  const ownClient = createOwnClient(address, registrations, clock)
  const access = createOAuthAccess({
    store,
    unstored,
    registrations,
    vault,
    fetch,
    clock,
    refreshes: metrics.counter(
      'connection_refreshes_total',
      'Refreshed accesses to tool servers by outcome',
      ['outcome'],
    ),
    waits: metrics.histogram('connection_refresh_wait_seconds', 'How long calls waited for an access token'),
    drop: ({ id, accountId, version }) =>
      saved.changeAccess(gatewayAs(accountId), id, 'connection.consent_lost', async (sql) =>
        (await store.drop(sql, id, version)) ? { hasTokens: false } : null,
      ),
  })

  async function find(accountId: string, id: string) {
    const connection = await saved.find(accountId, id)
    if (connection === null || connection.oauth === null) return null
    const service = services.find(connection.service.serviceId, connection.service.chain)
    return service !== null && isSameProvider(connection.service, service) ? { connection, service } : null
  }

  const consent = createOAuthConsent({
    store,
    away,
    registrations,
    vault,
    fetch,
    clock,
    ownClient,
    find,
    note: (author, id, work) => saved.changeAccess(author, id, 'connection.consent', work),
    onFailed: (error) =>
      log.info('a consent was not taken', { why: error instanceof Error ? error.name : 'unknown' }),
  })
  const cleaning = createPeriodicJob(cleaningEveryMs, away.clean, (error) =>
    log.warn('consents that nobody came back from were not removed', { error }),
  )
  cleaning.start()

  /** Reads what is to be revoked there once it was deleted here. */
  async function accessOf(sql: TransactionSql, connection: Pick<StoredConnection, 'id' | 'accountId'>) {
    const sealed = await store.sealedTokens(sql, connection.id)
    return sealed === null ? null : openAccess(vault, connection, sealed)
  }

  return {
    ...createBearerAccesses(access, store, address),
    /** `pageOrigin`: each name of a loopback installation answers as itself, and cookies do not follow from one to another. */
    begin: (owner: ConsentingOwner, id: string, pageOrigin: string | null) =>
      consent.begin(owner, id, address().origins.find((own) => own === pageOrigin) ?? address().origin),
    finish: consent.finish,
    forget: access.forget,
    accessOf,
    revoke: (kept: Parameters<typeof revokeThere>[0]) => revokeThere(kept, fetch),
    untilAgreed: createConsentWait(store, clock),
    document: ownClient.document,
    issuers: createIssuerClients(registrations, database, record),
    async stop(): Promise<void> {
      await Promise.all([cleaning.stop(), unstored.stop()])
    },
  }
}
