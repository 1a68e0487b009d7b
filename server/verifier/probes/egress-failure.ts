import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import type { EgressErrorCode } from '../../platform/egress.ts'

/**
 * What a failed exchange says about the service; null where it says nothing, because this process gave up.
 * A redirect is an address that the operator has to correct; broken HTTP is an unreadable answer.
 */
export const errorOfEgress: Readonly<Record<EgressErrorCode, ProbeError | null>> = {
  ADDRESS: 'BLOCKED_ADDRESS',
  SCHEME: 'BLOCKED_ADDRESS',
  USERINFO: 'BLOCKED_ADDRESS',
  PORT: 'BLOCKED_ADDRESS',
  URL: 'BLOCKED_ADDRESS',
  DNS: 'DNS',
  DNS_TIMEOUT: 'DNS',
  CONNECT: 'CONNECT',
  TLS: 'TLS',
  TIMEOUT: 'TIMEOUT',
  TOO_LARGE: 'TOO_LARGE',
  REDIRECT: 'HTTP_4XX',
  PROTOCOL: 'NOT_JSON',
  ABORTED: null,
}
