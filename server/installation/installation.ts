/**
 * What the console shows about this installation: its version and address, how it stores data, the state of the
 * configuration file, and which sign-in providers are configured.
 *
 * `procedures.ts` serves three queries: `address` (for the command line), `info` (for every signed-in account) and
 * `operation` (for the settings page of operators). All values are read from the running process on each call, except
 * the version of PostgreSQL, which the database is asked for.
 *
 * Failure: `operation` rejects with the fault `unavailable` while the database is away; the others cannot fail.
 *
 * Limitations: settings are shown, never changed here; they come from the environment (`config/`) and the configuration
 * file. Nothing here is secret: of a provider only whether it is configured, its callback address, and why it does not answer.
 */

import { type Provider, providers } from '../../shared/accounts.ts'
import type {
  BackupsState,
  FileState,
  InstallationView,
  OperationView,
  ProviderState,
  UnnamedProxyState,
} from '../../shared/installation.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Database } from '../platform/database.ts'

export interface InstallationOptions {
  readonly version: string
  readonly database: Database
  readonly settings: InstallationSettings
  readonly world: InstallationWorld
}

/** The settings of the environment that are shown. */
export interface InstallationSettings {
  /** Null when the embedded PostgreSQL is used. */
  readonly databaseUrl: string | null
  readonly canRevealKeys: boolean
  /** Null when the provider is not configured. */
  readonly github: object | null
  readonly google: object | null
  readonly oidc: { readonly name: string } | null
}

/** Facts of other domains, read on each query. */
export interface InstallationWorld {
  /** Returns `scheme://host[:port]`. */
  address(): string
  chainCount(): number
  file(): FileState
  /** Why nobody can be sent to a provider now; null when that is not known. */
  providerProblem(provider: Provider): string | null
  unnamedProxy(): UnnamedProxyState | null
  backups(): BackupsState | null
  isClockWrong(): boolean
}

export type Installation = ReturnType<typeof createInstallation>

const providerSettings: Readonly<Record<Provider, readonly string[]>> = {
  github: ['GATEHOUSE_GITHUB_CLIENT_ID', 'GATEHOUSE_GITHUB_CLIENT_SECRET'],
  google: ['GATEHOUSE_GOOGLE_CLIENT_ID', 'GATEHOUSE_GOOGLE_CLIENT_SECRET'],
  oidc: ['GATEHOUSE_OIDC_ISSUER', 'GATEHOUSE_OIDC_CLIENT_ID', 'GATEHOUSE_OIDC_CLIENT_SECRET'],
}

/** Creates the queries about this installation. Their results contain no secret. */
export function createInstallation({ version, database, settings, world }: InstallationOptions) {
  const providerState = (provider: Provider): ProviderState => ({
    provider,
    name: provider === 'oidc' ? (settings.oidc?.name ?? null) : null,
    isConfigured: settings[provider] !== null,
    settings: providerSettings[provider],
    callback: `${world.address()}/auth/callback/${provider}`,
    problem: world.providerProblem(provider),
  })

  return {
    address: world.address,

    view: ({ address: callerAddress }: Caller): InstallationView => ({
      version,
      address: world.address(),
      chainCount: world.chainCount(),
      canRevealKeys: settings.canRevealKeys,
      callerAddress,
    }),

    /** Returns the facts of the settings page. Throws the fault `unavailable` while the database is away. */
    async operation(): Promise<OperationView> {
      const [row] = await database.run((sql) => sql<{ server_version: string }[]>`SHOW server_version`)
      const { path, exists, problems } = world.file()
      return {
        file: { path, exists, problems },
        database: {
          kind: settings.databaseUrl === null ? 'embedded' : 'external',
          // Distributions append their own name to the version.
          version: row?.server_version.split(' ')[0] ?? 'unknown',
        },
        providers: providers.map(providerState),
        unnamedProxy: world.unnamedProxy(),
        backups: world.backups(),
        isClockWrong: world.isClockWrong(),
      }
    },
  }
}
