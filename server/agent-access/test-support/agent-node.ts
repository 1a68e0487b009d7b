import { silentLog } from '../../../scripts/world/database.ts'
import { loopbackHosts, noProxies } from '../../../tests/support/loopback-hosts.ts'
import { createHttpApp } from '../../http/app.ts'
import { createKeyReplicas } from '../../keys/key-replicas.ts'
import { author, hashKey } from '../../keys/test-support/key-world.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import type { TransactionSql, Database } from '../../platform/database.ts'
import { type Resolve, createEgress } from '../../platform/egress.ts'
import { publicAddress } from '../../platform/http/public-address.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createSteadyClock } from '../../platform/steady-clock.ts'
import { createAgentAccess } from '../agent-access.ts'
import type { AgentSettings } from '../clients/client.ts'
import { challengeOf } from '../token-values.ts'

/** The address of the installation. Nothing listens there: the tests ask the application itself. */
export const origin = 'http://127.0.0.1:3000'
/** Where an agent of these tests listens. */
export const redirectUri = 'http://127.0.0.1:49152/callback'
export const anna = author('acc_anna')

let owners = 0
/** Another one each time: an account may not ask very often. */
const somebody = () => author(`acc_${++owners}`)

const anySettings: AgentSettings = { canRegister: true, clientHosts: null, appSchemes: ['cursor'] }

interface NodeOptions {
  readonly settings?: Partial<AgentSettings>
  readonly address?: string
  /** Certificates that documents of clients are trusted by. */
  readonly ca?: string
  readonly allowPrivate?: readonly string[]
  readonly resolve?: Resolve
  /** For limits and memories of this process. */
  readonly processClock?: Clock
}

export interface RecordedEvent {
  readonly action: string
  readonly before?: unknown
}

export type AgentNode = Awaited<ReturnType<typeof agentNode>>

/** One process of an installation, as far as agents are let in. */
export async function agentNode(database: Database, options: NodeOptions = {}) {
  const { settings, address = origin, ca, allowPrivate = [], resolve, processClock = systemClock } = options
  const clock = createSteadyClock(systemClock)
  const replicas = createKeyReplicas({ database, clock, log: silentLog })
  const egress = createEgress({
    clock: systemClock,
    allowPrivate,
    ...(ca !== undefined && { ca }),
    ...(resolve !== undefined && { resolve }),
  })
  const events: RecordedEvent[] = []
  const metrics = createMetrics()
  const access = createAgentAccess({
    database,
    replicas,
    secret: hashKey,
    clock,
    processClock,
    log: silentLog,
    metrics,
    settings: { ...anySettings, ...settings },
    world: {
      egress,
      recordAll: async (_sql: TransactionSql, made: readonly RecordedEvent[]) => void events.push(...made),
      address: () => publicAddress(address),
    },
  })
  const app = createHttpApp({
    plugins: [],
    directRoutes: access.routes,
    log: silentLog,
    metrics,
    clock: systemClock,
    trustedProxies: [],
    ownHosts: loopbackHosts,
    unnamedProxies: noProxies,
    readiness: () => ({}),
    metricsToken: null,
    isTls: false,
  })
  await replicas.keySync.load()
  replicas.keySync.start()
  const send = (path: string, init?: RequestInit) => app.fetch(new Request(`${origin}${path}`, init))
  const form = (path: string, fields: Readonly<Record<string, string>> | URLSearchParams) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields) })

  return {
    access,
    events,
    metrics,
    readAgain: replicas.keySync.readAgain,
    send,
    form,
    async token(fields: Readonly<Record<string, string>>): Promise<TokenReply> {
      const answer = await form('/oauth/token', fields)
      return { status: answer.status, ...((await answer.json()) as Omit<TokenReply, 'status'>) }
    },
    async register(redirectUris: readonly string[] = [redirectUri], name = 'A program'): Promise<Registered> {
      const body = JSON.stringify({ client_name: name, redirect_uris: redirectUris })
      const answer = await send('/oauth/register', { method: 'POST', headers: json, body })
      return { status: answer.status, ...((await answer.json()) as Omit<Registered, 'status'>) }
    },
    async stop() {
      await access.stop()
      await replicas.keySync.stop()
      egress.close()
    },
  }
}

const json = { 'content-type': 'application/json' }

export interface TokenReply {
  readonly status: number
  readonly error: string
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
}

interface Registered {
  readonly status: number
  readonly error: string
  readonly client_id: string
  readonly redirect_uris: readonly string[]
}

export const verifier = 'v'.repeat(43)

/** A request for access as a client writes it. */
export const queryOf = (clientId: string, over: Readonly<Record<string, string>> = {}): string =>
  new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'xyz',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    scope: 'gateway_use',
    resource: `${origin}/mcp`,
    ...over,
  }).toString()

/** Somebody who is signed in, and agrees to all that is asked. Returns the address of the answer. */
export async function consent({ access }: AgentNode, query: string, by = somebody()): Promise<URL> {
  const shown = await access.ask(by.accountId, query, origin)
  if (shown.kind === 'problem') throw new Error(shown.problem)
  if (shown.kind === 'back') return new URL(shown.redirectTo)
  const { fingerprint, scopes } = shown.request
  return new URL((await access.decide(by, { query, fingerprint, scopes }, origin)).redirectTo)
}

/** What a client sends to exchange its code. */
export async function codeForm(
  node: AgentNode,
  clientId: string,
  over: Readonly<Record<string, string>> = {},
  by = somebody(),
) {
  const back = await consent(node, queryOf(clientId, over), by)
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: redirectUri,
  }
}
