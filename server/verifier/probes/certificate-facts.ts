import type { ServiceFacts } from '../../../shared/service-facts.ts'
import { EgressError } from '../../platform/egress.ts'

/** OpenSSL's verdicts, under the names that the runtime gives them. */
const problems: Readonly<Record<string, ServiceFacts['certificateProblem']>> = {
  CERT_HAS_EXPIRED: 'EXPIRED',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'SELF_SIGNED',
  SELF_SIGNED_CERT_IN_CHAIN: 'SELF_SIGNED',
  ERR_TLS_CERT_ALTNAME_INVALID: 'WRONG_NAME',
  HOSTNAME_MISMATCH: 'WRONG_NAME',
}

/** Returns why a certificate was refused; of what the runtime says otherwise, only that it was not trusted. */
export const certificateProblemOf = (failure: unknown): ServiceFacts['certificateProblem'] =>
  problems[(failure instanceof EgressError && failure.reason) || ''] ?? 'UNTRUSTED'

/** Returns what an exchange that went well says of the certificate: nothing without TLS. */
export const certificateFacts = ({
  certificateExpiresAt,
}: {
  certificateExpiresAt?: number | null
}): ServiceFacts =>
  typeof certificateExpiresAt === 'number' && certificateExpiresAt >= 0
    ? { certificateExpiresAt, certificateProblem: null }
    : {}
