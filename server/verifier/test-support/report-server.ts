import { createHash, createPublicKey, verify } from 'node:crypto'
import { gunzipSync } from 'node:zlib'

import { EnrollRequest, ReportBatch, signingContext } from '../../../shared/verifier-protocol.ts'
import type { Assignments, ReportAck } from '../../../shared/verifier-protocol.ts'

/** The server's half of the verifier protocol on loopback: it checks signatures and keeps what it takes. */
export interface ReportServer {
  readonly url: string
  readonly batches: ReportBatch[]
  readonly paths: string[]
  /** Encodings of the reports that came. */
  readonly encodings: (string | null)[]
  /** The `verifier-time` of every question for assignments. */
  readonly askedAt: number[]
  assignments: Assignments
  /** Gives the answer in place of the usual one, once. */
  answerOnceWith(response: Response): void
  /** Lets a verifier in without enrolment. */
  admit(verifierId: string, publicKey: string): void
  stop(): Promise<void>
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code, message: `refused with ${code}` } }, { status, headers })

function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const x = Buffer.from(publicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
}

export function startReportServer(token: string, initial: Assignments): ReportServer {
  const keys = new Map<string, string>()
  const batches: ReportBatch[] = []
  const paths: string[] = []
  const encodings: (string | null)[] = []
  const askedAt: number[] = []
  let assignments = initial
  let planned: Response | null = null
  let tokenIsSpent = false

  const isSigned = (request: Request, text: string): boolean => {
    const key = keys.get(request.headers.get('verifier-id') ?? '')
    const [version, signature = ''] = (request.headers.get('verifier-signature') ?? '').split(',')
    return key !== undefined && version === 'v1' && isSignedBy(key, text, signature)
  }

  async function enroll(request: Request): Promise<Response> {
    const asked = EnrollRequest.parse(await request.json())
    const text = `${signingContext.enroll}${asked.token}\n${asked.publicKey}`
    if (asked.token !== token || tokenIsSpent) return refusal(401, 'unauthorized')
    if (!isSignedBy(asked.publicKey, text, asked.proof)) return refusal(401, 'unauthorized')
    tokenIsSpent = true
    const verifierId = `ver_${keys.size + 1}`
    keys.set(verifierId, asked.publicKey)
    return Response.json(
      { verifierId, serverTimeMs: Date.now(), intervalMs: 0, freshMs: 30_000 },
      { status: 201 },
    )
  }

  function assign(request: Request): Response {
    const { headers } = request
    const text = `${signingContext.assignments}${headers.get('verifier-id')}\n${headers.get('verifier-time')}`
    if (!isSigned(request, text)) return refusal(401, 'verifier_unknown')
    if (headers.get('if-none-match') === `"${assignments.etag}"`) return new Response(null, { status: 304 })
    return Response.json(assignments)
  }

  async function report(request: Request): Promise<Response> {
    const encoding = request.headers.get('content-encoding')
    encodings.push(encoding)
    const sent = new Uint8Array(await request.arrayBuffer())
    const body = encoding === 'gzip' ? gunzipSync(sent) : sent
    const digest = createHash('sha256').update(body).digest('hex')
    if (!isSigned(request, signingContext.report + digest)) return refusal(401, 'verifier_unknown')
    const batch = ReportBatch.parse(JSON.parse(new TextDecoder().decode(body)))
    batches.push(batch)
    const ack: ReportAck = {
      ackSeq: batch.seq,
      duplicate: false,
      serverTimeMs: Date.now(),
      intervalMs: 0,
      assignmentsEtag: assignments.etag,
    }
    return Response.json(ack)
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      paths.push(pathname)
      const time = request.headers.get('verifier-time')
      if (time !== null) askedAt.push(Number(time))
      if (planned) {
        const answer = planned
        planned = null
        return answer
      }
      if (pathname === '/v1/verifiers/enroll') return enroll(request)
      if (pathname === '/v1/verifiers/me/assignments') return assign(request)
      if (pathname === '/v1/verifiers/me/reports') return report(request)
      return Response.json({ path: pathname })
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    batches,
    paths,
    encodings,
    askedAt,
    get assignments() {
      return assignments
    },
    set assignments(next) {
      assignments = next
    },
    answerOnceWith(response) {
      planned = response
    },
    admit: (verifierId, publicKey) => void keys.set(verifierId, publicKey),
    stop: () => server.stop(true),
  }
}
