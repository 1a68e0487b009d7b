import type { AuthType, DownstreamTransport } from '../../shared/connections.ts'

/** A tool server as the registry lists it. */
export interface DownstreamService {
  /** `<category>:<slug>`; unique within a chain only. */
  readonly serviceId: string
  readonly chain: string
  readonly category: string
  readonly provider: string | null
  readonly name: string
  readonly url: string
  readonly transport: DownstreamTransport
  readonly authType: AuthType
  /** Under which provider's name its credentials are brought; null: it takes none. */
  readonly credentialKey: string | null
}

/** The registry, as far as connections need it. */
export interface DownstreamServices {
  /** Null: there is none. Without a chain, the one on the alphabetically first chain that has it. */
  find(serviceId: string, chain: string | null): DownstreamService | null
}
