/**
 * Letting agents in: an authorization server of our own (OAuth 2.1 as MCP describes it), with which people connect Claude,
 * ChatGPT, Cursor or VS Code to the gateway as their account. API keys go on as they are.
 *
 * A client connects in these steps:
 * 1. A door of the gateway refuses it with a challenge. It reads the metadata of the resource and of this server
 *    (`metadata.ts`), and registers itself (`clients/clients.ts`), unless a document of its own describes it.
 * 2. `GET /oauth/authorize` (`routes.ts`) hands the query to the console's page and reads and stores nothing.
 * 3. The page asks `ask` (`consent.ts`): `clients/clients.ts` finds the client (`clients/client.ts` reads its document), and
 *    `authorization-request.ts` checks the request, its address by `redirects.ts` and what it is for by `resources.ts`.
 * 4. The page sends `decide`, which believes it nothing but which scopes were agreed to; `grants.ts` makes the grant, its
 *    code and the audit entry in one transaction.
 * 5. `POST /oauth/token`: the client proves itself (`clients/assertions.ts`), and `token-requests.ts` exchanges the code,
 *    later refresh tokens. `token-values.ts` mints them in the form of keys; only keyed hashes are stored.
 * 6. Doors ask `check` (`access-tokens.ts`), which knows recent tokens from memory. A grant that ends is told to all
 *    processes by the change log of the keys.
 *
 * A refresh token is used once and has one successor, computed from it: who asks twice within two minutes gets the same.
 * Reuse after that, or of a code, ends the whole grant, and the overview tells the owner of the former. No secrets of clients, no JWT, no cookie, no signing key.
 *
 * Failure: the token address answers in the words of OAuth (`oauth-refusal.ts`), the console's calls by faults. Without the
 * database, tokens in memory go on for five minutes, and everything else is `unavailable`.
 *
 * Known limitations: OAuth is offered by https and on loopback addresses only. A program on this computer cannot be told
 * from another that calls itself the same.
 */
import type { Audit } from '../audit/audit.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Egress } from '../platform/egress.ts'
import { createAddressLimit } from '../platform/http/address-limit.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { type TokenUse, createAccessTokens } from './access-tokens.ts'
import { createAgentCleaning } from './cleaning.ts'
import { createAssertions } from './clients/assertions.ts'
import type { AgentSettings } from './clients/client.ts'
import { createClientStore } from './clients/client-store.ts'
import { createClients } from './clients/clients.ts'
import { createDocumentReader } from './clients/read-document.ts'
import { createConsent } from './consent.ts'
import { createGrantStore, isGrantAlive } from './grant-store.ts'
import { createGrants } from './grants.ts'
import { isOffered } from './resources.ts'
import { createAgentRoutes } from './routes.ts'
import { createTokenRequests } from './token-requests.ts'
import { createTokenStore } from './token-store.ts'
import { createTokenValues } from './token-values.ts'

export interface AgentAccessOptions {
  readonly database: Database
  readonly replicas: KeyReplicas
  /** Secret of at least 32 bytes under which codes and tokens are hashed: the same in every process. */
  readonly secret: Uint8Array
  readonly clock: SteadyClock
  /** For limits and memories of this process. */
  readonly processClock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly settings: AgentSettings
  readonly world: {
    readonly egress: Pick<Egress, 'request'>
    readonly recordAll: Audit['recordAll']
    readonly address: () => PublicAddress
  }
}

export type AgentAccess = ReturnType<typeof createAgentAccess>

const unknownTokensPerMinute = 600

export function createAgentAccess(options: AgentAccessOptions) {
  const { database, replicas, clock, processClock, log, metrics, settings, world } = options
  const { address } = world
  const values = createTokenValues(options.secret)
  const grantStore = createGrantStore(database)
  const tokenStore = createTokenStore(database)
  const clientStore = createClientStore(database)
  const readDocument = createDocumentReader(world.egress)
  const documents = metrics.counter('agent_documents_read_total', 'Documents of clients by outcome', [
    'outcome',
  ])
  const issued = metrics.counter('agent_tokens_issued_total', 'Token requests by kind and outcome', [
    'grant_type',
    'outcome',
  ])
  const clients = createClients({
    store: clientStore,
    readDocument,
    settings,
    clock: processClock,
    onRead: (outcome) => documents.add({ outcome }),
  })
  const prove = createAssertions({ store: clientStore, readDocument, clock: processClock })
  const grants = createGrants({ database, store: grantStore, values, replicas, record: world.recordAll })
  const tokenRequests = createTokenRequests({
    database,
    store: tokenStore,
    grants: grantStore,
    values,
    world: {
      async prove(form) {
        const client = await clients.known(form.get('client_id') ?? '')
        await prove(
          client,
          form,
          address().origins.flatMap((origin) => [origin, `${origin}/oauth/token`]),
        )
        return client
      },
      end: async (id, why) => void (await grants.end({ accountId: null, id, why }, null)),
      origins: () => address().origins,
      onOutcome: (grantType, outcome) => issued.add({ grant_type: grantType, outcome }),
    },
  })
  const unknownTokens = createAddressLimit(unknownTokensPerMinute, processClock.monotonic)
  const accessTokens = createAccessTokens({
    store: tokenStore,
    values,
    keySync: replicas.keySync,
    clock,
    unknownTokens,
  })
  const cleaning = createAgentCleaning(grantStore, metrics, log)

  const consent = createConsent({ clients, grants, values, settings, address, clock: processClock })

  return {
    ...createAgentRoutes({ address, clients, tokenRequests, clock: processClock, log }),

    ...consent,
    list: grants.list,
    names: grants.names,
    reused: grants.reused,
    end: grants.end,
    clients: clients.list,
    check: (value: string, use: TokenUse) => accessTokens.check(value, use),
    isGrantAlive: (id: string) => isGrantAlive(database, id),
    onChange: accessTokens.onChange,
    isOffered: (): boolean => isOffered(address()),
    clean: cleaning.run,
    start: cleaning.start,
    stop: cleaning.stop,
  }
}
