import { type Provider, providers } from '../../shared/accounts.ts'
import type { FileState, InstallationView, OperationView, ProviderState } from '../../shared/installation.ts'
import type { Caller } from '../http/caller.ts'
import type { Database } from '../platform/database.ts'

export interface InstallationParts {
  readonly version: string
  readonly database: Database
  readonly settings: InstallationSettings
  readonly world: InstallationWorld
}

/** What the operator decided. */
export interface InstallationSettings {
  /** Null: the embedded server. */
  readonly databaseUrl: string | null
  readonly canRevealKeys: boolean
  /** Null: nobody can sign in by it. */
  readonly github: object | null
  readonly google: object | null
}

/** What other parts know; asked anew each time. */
export interface InstallationWorld {
  /** `scheme://host[:port]`. */
  address(): string
  chainCount(): number
  file(): FileState
}

export type Installation = ReturnType<typeof createInstallation>

const providerSettings: Readonly<Record<Provider, readonly string[]>> = {
  github: ['GATEHOUSE_GITHUB_CLIENT_ID', 'GATEHOUSE_GITHUB_CLIENT_SECRET'],
  google: ['GATEHOUSE_GOOGLE_CLIENT_ID', 'GATEHOUSE_GOOGLE_CLIENT_SECRET'],
}

/** What an installation tells people of itself. Holds no secret. */
export function createInstallation({ version, database, settings, world }: InstallationParts) {
  const providerState = (provider: Provider): ProviderState => ({
    provider,
    isConfigured: settings[provider] !== null,
    settings: providerSettings[provider],
    callback: `${world.address()}/auth/callback/${provider}`,
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

    /** Fault: `unavailable`. */
    async operation(): Promise<OperationView> {
      const [row] = await database.run((sql) => sql<{ server_version: string }[]>`SHOW server_version`)
      const { path, exists, problems } = world.file()
      return {
        file: { path, exists, problems },
        database: {
          kind: settings.databaseUrl === null ? 'embedded' : 'external',
          // Distributions write their own name behind it.
          version: row?.server_version.split(' ')[0] ?? 'unknown',
        },
        providers: providers.map(providerState),
      }
    },
  }
}
