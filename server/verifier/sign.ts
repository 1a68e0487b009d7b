import { createHash } from 'node:crypto'

import { reportText, signatureHeader } from '../../shared/verifier-protocol.ts'
import type { Identity } from './identity.ts'

/** The `verifier-signature` header of a report with these uncompressed JSON bytes. */
export function signReport(identity: Pick<Identity, 'sign'>, body: Uint8Array): string {
  const bodyHash = createHash('sha256').update(body).digest('hex')
  return signatureHeader(identity.sign(reportText(bodyHash)))
}
