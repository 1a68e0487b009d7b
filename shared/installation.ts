import type { Provider } from './accounts.ts'

/** What everybody who is signed in may know of the installation. */
export interface InstallationView {
  readonly version: string
  /** `scheme://host[:port]` where browsers reach it. */
  readonly address: string
  /** Chains whose services it can watch. */
  readonly chainCount: number
  /** False: the value of a key is shown when it is made, and never again. */
  readonly canRevealKeys: boolean
  /** Where the caller comes from, as Allowed IPs would see it; null when a proxy in front tells nothing usable. */
  readonly callerAddress: string | null
}

/** What operators know besides. */
export interface OperationView {
  readonly file: FileState
  readonly database: DatabaseState
  readonly providers: readonly ProviderState[]
  /** Null: none asks at present. */
  readonly unnamedProxy: UnnamedProxyState | null
  /** Whether the clock of the process that answers is more than 5 s from that of the database. */
  readonly isClockWrong: boolean
  /** Null: the server makes none by itself. */
  readonly backups: BackupsState | null
}

/** Backups that the server makes by itself, into a folder on its machine. */
export interface BackupsState {
  readonly folder: string
  readonly everyHours: number
  /** When the newest one was written, in epoch ms; null when there is none. */
  readonly lastAt: number | null
  /** Why the last attempt failed; null when it did not. */
  readonly failure: string | null
  /** Whether the newest one is older than it should be. */
  readonly isOld: boolean
}

/** A reverse proxy that the installation does not know of: behind it, all visitors count as one address. */
export interface UnnamedProxyState {
  readonly address: string
  /** `NAME=value` to set where it is one of ours. */
  readonly setting: string
}

/** The declarative file. */
export interface FileState {
  readonly path: string
  readonly exists: boolean
  /** Mistakes of the latest reading, each with its line and field; until they are gone, the last good one stays active. */
  readonly problems: readonly string[]
}

export interface DatabaseState {
  /** `embedded`: a PostgreSQL of its own, in the data folder. */
  readonly kind: 'embedded' | 'external'
  /** Of PostgreSQL, such as `18.1`. */
  readonly version: string
}

/** Whether people can sign in with one of their external accounts. */
export interface ProviderState {
  readonly provider: Provider
  /** What people know it by, where that is not the same everywhere. */
  readonly name: string | null
  readonly isConfigured: boolean
  /** Environment variables that switch it on. */
  readonly settings: readonly string[]
  /** Address to enter at the provider. */
  readonly callback: string
  /** Why nobody can be sent there now; null when that is not known. */
  readonly problem: string | null
}
