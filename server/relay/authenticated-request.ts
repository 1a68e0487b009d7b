import type { Endpoint } from '../endpoints/endpoints.ts'
import type { RequestFacts } from '../platform/http/request-facts.ts'
import type { CorsPolicy } from './http-response.ts'
import type { RelayKey } from './ports.ts'

/** A request whose key is valid for its endpoint. */
export interface AuthenticatedRequest {
  readonly request: Request
  readonly facts: RequestFacts
  /** What follows the key in the address; null when nothing does. */
  readonly path: string | null
  readonly value: string
  readonly key: RelayKey
  readonly endpoint: Endpoint
  readonly cors: CorsPolicy
}

/** Answers a request at an endpoint of paths. */
export type RestCalls = (request: AuthenticatedRequest & { readonly path: string }) => Promise<Response>
