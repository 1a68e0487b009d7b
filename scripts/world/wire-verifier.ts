import { createHash, generateKeyPairSync, sign } from 'node:crypto'

import { families } from '../../shared/chains.ts'
import { Assignments, EnrollResponse, signingContext } from '../../shared/verifier-protocol.ts'
import type { ReportBatch, Round } from '../../shared/verifier-protocol.ts'

/** A verifier of its own making: speaks the wire protocol with its own key, and says whatever a test wants it to. */
export interface WireVerifier {
  readonly id: string
  assignments(): Promise<Assignments>
  /** Signs a body and posts it. `changes` are to what is sent after signing. */
  post(body: string, changes?: PostChanges): Promise<Response>
  /** Posts a good batch with these changes. Each has a higher sequence number than the one before. */
  report(changes?: Partial<ReportBatch>, post?: PostChanges): Promise<Response>
  /** The good batch that `report` would send. */
  batch(changes?: Partial<ReportBatch>): ReportBatch
  /** As the `verifier-signature` header has it. */
  signature(body: string): string
}

export interface PostChanges {
  headers?: Record<string, string>
  /** In place of what was signed. */
  sent?: Uint8Array<ArrayBuffer>
}

/** Enrols with a one-time token. */
export async function enrolWireVerifier(
  url: string,
  token: string,
  name: string,
  description = { region: 'test', version: '0' },
): Promise<WireVerifier> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const rawKey = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')
  const signed = (text: string): string => sign(null, Buffer.from(text), privateKey).toString('base64')

  const enrolled = await fetch(`${url}/v1/verifiers/enroll`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      token,
      publicKey: rawKey,
      name,
      ...description,
      families,
      proof: signed(`${signingContext.enroll}${token}\n${rawKey}`),
    }),
  })
  if (!enrolled.ok) throw new Error(`enrolment answers ${enrolled.status}: ${await enrolled.text()}`)
  const id = EnrollResponse.parse(await enrolled.json()).verifierId
  let lastSeq = 0

  const signature = (body: string): string =>
    `v1,${signed(signingContext.report + createHash('sha256').update(body).digest('hex'))}`

  function batch(changes: Partial<ReportBatch> = {}): ReportBatch {
    lastSeq = Math.max(lastSeq + 1, Date.now() * 1000)
    return {
      v: 1,
      verifierId: id,
      seq: lastSeq,
      sentAtMs: Date.now(),
      isolated: false,
      backfill: false,
      services: [],
      rounds: [],
      ...changes,
    }
  }

  const post: WireVerifier['post'] = (body, { headers = {}, sent } = {}) =>
    fetch(`${url}/v1/verifiers/me/reports`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'verifier-id': id,
        'verifier-signature': signature(body),
        ...headers,
      },
      body: sent ?? body,
    })

  return {
    id,
    async assignments() {
      const time = String(Date.now())
      const response = await fetch(`${url}/v1/verifiers/me/assignments`, {
        headers: {
          'verifier-id': id,
          'verifier-time': time,
          'verifier-signature': `v1,${signed(`${signingContext.assignments}${id}\n${time}`)}`,
        },
      })
      if (!response.ok) throw new Error(`assignments answer ${response.status}: ${await response.text()}`)
      return Assignments.parse(await response.json())
    },
    batch,
    report: (changes, changesOfPost) => post(JSON.stringify(batch(changes)), changesOfPost),
    post,
    signature,
  }
}

/** A round about services of one chain (or of none) that was just now. */
export const roundOf = (chain: string | null, obs: Round['obs'], changes: Partial<Round> = {}): Round => ({
  chain,
  ageMs: 0,
  spreadMs: 0,
  obs,
  ...changes,
})
