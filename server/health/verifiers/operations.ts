import * as z from 'zod/mini'

import { ReportBatch, protocolLimits } from '../../../shared/verifier-protocol.ts'
import { signedForms } from './signature.ts'

const described = (description: string) => z.string().check(z.meta({ description }))
const responseHeader = (description: string) => ({ description, schema: { type: 'integer' as const } })

const signedHeaders = {
  'verifier-id': described('the verifierId that enrolment answered'),
  'verifier-signature': described(
    "v1, and the Base64 of the Ed25519 signature (RFC 8032) that the verifier's key makes over what the operation names",
  ),
}

const clockRefusal = {
  description: `The request cannot be read, or the clock is more than ${protocolLimits.clockSkewMs / 1000} s off (clock_skew)`,
  headers: {
    'server-time-ms': responseHeader(
      'of clock_skew: epoch milliseconds of the server; keep the difference, do not set the clock',
    ),
  },
}

/**
 * The operations of the verifier protocol, described so far that somebody can write a verifier from them alone. What the
 * routes read themselves, because the bytes are signed, stands in `reads`.
 */
export const verifierOperations = {
  enroll: {
    operationId: 'enrollVerifier',
    summary: 'Enrol a verifier with a one-time token',
    description: `Make an Ed25519 key pair, and enrol its public half (32 bytes, in Base64) once, with a token of an operator. \`proof\` is the Base64 of the signature over the UTF-8 text of ${signedForms.enrolment}.`,
    tags: ['Verifiers'],
  },
  assignments: {
    operationId: 'getVerifierAssignments',
    summary: 'What to probe; waits for a change of what If-None-Match names',
    description: `\`verifier-signature\` is over ${signedForms.assignments}. With the \`ETag\` of the answer before in \`If-None-Match\` it waits up to ${protocolLimits.assignmentsWaitMs / 1000} s for a change: give the request a longer time-out. Probe the services of one chain at the same time.`,
    tags: ['Verifiers'],
    reads: {
      headers: z.object({
        ...signedHeaders,
        'verifier-time': described("epoch milliseconds of the verifier's clock"),
        'if-none-match': z.optional(described('the ETag of the assignments that are known')),
      }),
    },
    responses: {
      200: {
        description: 'What to probe',
        headers: { ETag: { description: 'its version', schema: { type: 'string' as const } } },
      },
      304: { description: 'Nothing changed; ask again' },
      400: clockRefusal,
    },
  },
  report: {
    operationId: 'postVerifierReport',
    summary: 'A signed batch of observations',
    description: `\`verifier-signature\` is over ${signedForms.report}: sign the bytes that are sent, and write them once. At most ${protocolLimits.batchBytes} bytes, and one report at a time. The same bytes again are answered like the first time, with \`duplicate\`, so that a report whose answer was lost can be sent again.`,
    tags: ['Verifiers'],
    reads: { headers: z.object(signedHeaders), body: ReportBatch },
    responses: {
      400: clockRefusal,
      409: {
        description:
          'The number does not rise (sequence_replayed), or is more than a day ahead (sequence_ahead)',
        headers: {
          'verifier-last-seq': responseHeader('the last number that was taken; go on above it'),
        },
      },
      415: { description: 'The content-encoding is another one than gzip, br or zstd' },
    },
  },
}
