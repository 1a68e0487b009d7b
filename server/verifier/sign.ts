import { createHash } from 'node:crypto'

import { signingContext } from '../../shared/verifier-protocol.ts'

/** What a new verifier signs to show that it holds the private half of `publicKey` (base64). */
export const enrolmentText = (token: string, publicKey: string): string =>
  `${signingContext.enroll}${token}\n${publicKey}`

/** What is signed for a report: the digest of its uncompressed JSON bytes. */
export const reportText = (body: Uint8Array): string =>
  `${signingContext.report}${createHash('sha256').update(body).digest('hex')}`

/** What is signed to ask for the assignments; `timeMs` limits how long a captured request is good. */
export const assignmentsText = (verifierId: string, timeMs: number): string =>
  `${signingContext.assignments}${verifierId}\n${timeMs}`

/** Value of the `verifier-signature` header. */
export const signatureHeader = (signature: string): string => `v1,${signature}`
