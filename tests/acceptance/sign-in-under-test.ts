import type { TestIdentityProvider } from '../../scripts/world/identity-provider.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import type { TestWallet } from '../../scripts/world/test-wallet.ts'
import { createAccounts } from '../../server/accounts/accounts.ts'
import type { AccountSettings } from '../../server/accounts/accounts.ts'
import { createContextOf, createEndOf, createSessionOf } from '../../server/accounts/call-context.ts'
import type { AuditEntry } from '../../server/audit/audit.ts'
import { accountProcedures } from '../../server/accounts/procedures.ts'
import { teamProcedures } from '../../server/accounts/teams/procedures.ts'
import { createSignInAttempts } from '../../server/accounts/sign-in-attempts.ts'
import { accountRoutes } from '../../server/accounts/routes.ts'
import { createHttpApp } from '../../server/http/app.ts'
import type { HttpApp } from '../../server/http/app.ts'
import { createCookies } from '../../server/platform/http/cookies.ts'
import { createOwnHosts } from '../../server/http/own-hosts.ts'
import { type PublicAddress, publicAddress } from '../../server/platform/http/public-address.ts'
import { requestLimits } from '../../server/platform/http/request-limits.ts'
import { trpcRoutes } from '../../server/http/trpc-routes.ts'
import { systemClock } from '../../server/platform/clock.ts'
import type { Database } from '../../server/platform/database.ts'
import { createEgress } from '../../server/platform/egress.ts'
import { createKeyReplicas } from '../../server/keys/key-replicas.ts'
import { type Log, createLog } from '../../server/platform/log.ts'
import { createMetrics } from '../../server/platform/metrics.ts'
import { createSteadyClock } from '../../server/platform/steady-clock.ts'
import { createVault } from '../../server/platform/vault.ts'
import { freshProcedure, operatorProcedure, router, signedInProcedure } from '../../server/trpc/init.ts'
import { serveTrpc } from '../../server/compose/serve-trpc.ts'
import { noProxies } from '../support/loopback-hosts.ts'
import { createTestBrowser } from './sign-in-browser.ts'
import type { TestBrowser } from './sign-in-browser.ts'

export interface SignInUnderTest {
  readonly app: HttpApp
  readonly accounts: ReturnType<typeof createAccounts>
  /** What was recorded, in its order. */
  readonly auditEntries: readonly AuditEntry[]
  /** Lines of the log. */
  readonly lines: readonly string[]
  /** Moves the server's clock. */
  advance(ms: number): void
  /** A browser with no cookies, at an address of its own. */
  browser(): TestBrowser
  /** As the server does when it drains: streams end. */
  drain(): void
  stop(): void
}

interface Options {
  settings?: Partial<AccountSettings>
  publicUrl?: string
}

const noLimit = { perMinute: 100_000, perDay: 100_000 }

const usualSettings: AccountSettings = {
  signUp: 'open',
  signUpAllow: [],
  mutationRates: noLimit,
  operators: [],
  chainRpcs: new Map(),
  github: null,
  google: null,
  oidc: null,
}

const nobodyUsed = { daysOf: async () => [], sumsSince: async () => [] }

const nothingHeld = {
  queryKeys: 0,
  apiKeys: 0,
  agents: 0,
  connections: 0,
  virtualServers: 0,
  toolPolicies: 0,
}

/** What other domains do for accounts, where there are none. */
const aloneWith = (database: Database, log: Log) => ({
  replicas: createKeyReplicas({ database, clock: createSteadyClock(systemClock), log }),
  heldBy: async () => [],
  removeHeld: async () => ({ counts: nothingHeld, remembered: [] }),
  plans: { all: () => [], existsIn: async () => false, nameAtSignUp: () => null },
  use: () => nobodyUsed,
})

const routerUnderTest = (accounts: ReturnType<typeof createAccounts>) =>
  router({
    accounts: accountProcedures(accounts, () => Promise.reject(new Error('nothing to export'))),
    teams: teamProcedures(accounts.teams),
    probe: router({
      who: signedInProcedure.query(({ ctx }) => ctx.account.id),
      change: signedInProcedure.mutation(({ ctx }) => ctx.account.id),
      reveal: freshProcedure.mutation(() => 'revealed'),
      operate: operatorProcedure.query(() => 'operated'),
      tick: signedInProcedure.subscription(async function* ({ signal }) {
        yield 'tick'
        await new Promise((resolve) => signal?.addEventListener('abort', resolve))
      }),
    }),
  })

const edgeAt = (address: () => PublicAddress) => ({
  ownHosts: createOwnHosts({ address, listening: address, allowed: [] }),
  unnamedProxies: noProxies,
})

/** Everything about signing in as the server puts it together, with a clock that can be moved. */
export async function signInUnderTest(database: Database, options: Options = {}): Promise<SignInUnderTest> {
  const { publicUrl = 'https://gate.example.org', settings = {} } = options
  const lines: string[] = []
  const auditEntries: AuditEntry[] = []
  let shiftMs = 0
  const now = () => Date.now() + shiftMs
  const clock = { now, earliest: now, latest: now }
  const log = createLog({ level: 'debug', destination: { write: (line: string) => lines.push(line) } })
  const egress = createEgress({
    clock: systemClock,
    allowPrivate: ['127.0.0.0/8'],
    schemes: ['http', 'https'],
  })
  const place = publicAddress(publicUrl)
  const address = () => place
  const cookies = createCookies(place)
  const record = async (_sql: unknown, entry: AuditEntry): Promise<void> => void auditEntries.push(entry)
  const accounts = createAccounts({
    database,
    vault: createVault([Buffer.alloc(32, 7)]),
    clock,
    log,
    settings: {
      ...usualSettings,
      ...settings,
    },
    world: { egress, record, address, attempts: createSignInAttempts(now), ...aloneWith(database, log) },
  })
  await accounts.start()

  const sessionOf = createSessionOf(accounts, cookies)
  const closing = new AbortController()
  const app = createHttpApp({
    plugins: [
      accountRoutes({ accounts, cookies, sessionOf, address }),
      trpcRoutes({
        answer: serveTrpc(routerUnderTest(accounts), log),
        contextOf: createContextOf(sessionOf, clock, accounts.teams),
        endOf: createEndOf(accounts),
        takePlace: () => () => {},
        address,
        maxBodyBytes: () => requestLimits.bodyBytes,
        refuseMutations: () => Promise.resolve(null),
        closing: closing.signal,
      }),
    ],
    log,
    metrics: createMetrics(),
    clock: systemClock,
    trustedProxies: [],
    ...edgeAt(address),
    readiness: () => ({}),
    metricsToken: null,
    isTls: place.isTls,
  })
  let browsers = 0
  return {
    app,
    accounts,
    auditEntries,
    lines,
    advance: (ms) => {
      shiftMs += ms
    },
    browser: () => createTestBrowser(app, place.origin, `198.51.100.${++browsers}`),
    drain: () => closing.abort(),
    stop() {
      closing.abort()
      void accounts.stop()
      egress.close()
    },
  }
}

/** Signs in with a wallet as the console does, and returns the answer to the signature. */
export async function signInByWallet(
  browser: TestBrowser,
  wallet: TestWallet = createTestWallet(),
  { purpose = 'sign_in', chainId = 1, address = wallet.address as string } = {},
) {
  const challenge = await browser.post('/auth/wallet/challenge', { address, chainId, purpose })
  if (challenge.status !== 200) return challenge
  const { message } = JSON.parse(challenge.text) as { message: string }
  return browser.post('/auth/wallet/verify', { message, signature: wallet.sign(message) })
}

/** Both providers, at the addresses of one server. */
export const providerSettings = ({
  url,
  issuer,
}: TestIdentityProvider): Pick<AccountSettings, 'github' | 'google'> => {
  const addresses = { authorizeUrl: `${url}/authorize`, tokenUrl: `${url}/token` }
  return {
    github: {
      clientId: 'client-of-github',
      clientSecret: 'secret-of-github',
      ...addresses,
      userUrl: `${url}/userinfo`,
    },
    google: {
      clientId: 'client-of-google',
      clientSecret: 'secret-of-google',
      ...addresses,
      jwksUrl: `${url}/jwks`,
      issuer,
    },
  }
}
