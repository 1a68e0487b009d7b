import type { AuthType, DownstreamTransport } from '../../shared/connections.ts'

/** A tool server as the registry lists it. */
export interface DownstreamService {
  /** The id `<category>:<slug>`, which is unique within a chain only. */
  readonly serviceId: string
  readonly chain: string
  readonly category: string
  readonly provider: string | null
  readonly name: string
  readonly url: string
  readonly transport: DownstreamTransport
  readonly authType: AuthType
  /** The provider name under which credentials are offered; null when it takes none. */
  readonly credentialKey: string | null
}

/** The part of the registry that connections use. */
export interface DownstreamServices {
  /**
   * Finds a service, or returns null. Without a chain it uses the alphabetically first chain that has the
   * service.
   */
  find(serviceId: string, chain: string | null): DownstreamService | null
}
