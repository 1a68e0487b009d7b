import { Elysia } from 'elysia'

import type { AuditEntry } from '../../audit/audit.ts'
import { enrolmentActor } from '../../../shared/audit.ts'
import {
  Assignments,
  EnrollRequest,
  EnrollResponse,
  ReportAck,
  protocolLimits,
} from '../../../shared/verifier-protocol.ts'
import { jsonBody, readRawBody } from '../../platform/http/request-body.ts'
import { refusals } from '../../platform/http/refusals.ts'
import { allowSeconds, callerOf, requestIdOf } from '../../platform/http/request-facts.ts'
import { createTurns } from '../../platform/turns.ts'
import type { RecordAuditEntry } from '../audit-entry.ts'
import type { Enrolled } from './enrolment.ts'
import { verifierOperations } from './operations.ts'
import type { RefusedSenders } from './refused-senders.ts'
import type { Verifiers } from './verifiers.ts'

const header = (request: Request, name: string): string | null => request.headers.get(name)
const signedBy = (request: Request) => ({
  verifierId: header(request, 'verifier-id'),
  signature: header(request, 'verifier-signature'),
})
const quoted = /^(?:W\/)?"([^"]*)"$/
const noStore = { 'cache-control': 'no-store' } as const

/** The time-out of a request for assignments: longer than the server holds it, or Bun would close the connection. */
const pollSeconds = protocolLimits.assignmentsWaitMs / 1000 + 5

/** Creates the routes of the verifier protocol, version 1. Each request except enrolment is signed by the verifier's key. */
export function verifierRoutes(verifiers: Verifiers, refused: RefusedSenders, record: RecordAuditEntry) {
  const takeTurn = createTurns() // a batch takes some milliseconds, and several come at once
  return new Elysia({ name: 'verifiers', prefix: '/v1/verifiers' })
    .post(
      '/enroll',
      async ({ body, request }) => {
        const sender = { address: callerOf(request).address, isActiveVerifier: false }
        const enrolled = await refused.hold(sender, () =>
          verifiers.enroll(body, (sql, change) => record(sql, enrolmentEntry(request, change))),
        )
        return Response.json(enrolled, { headers: noStore })
      },
      {
        parse: jsonBody(),
        body: EnrollRequest,
        detail: verifierOperations.enroll,
        response: { 200: EnrollResponse, ...refusals(401, 409, 429) },
      },
    )
    .get(
      '/me/assignments',
      async ({ request }) => {
        allowSeconds(request, pollSeconds)
        const read = await verifiers.assignments({
          ...signedBy(request),
          time: header(request, 'verifier-time'),
          etag: quoted.exec(header(request, 'if-none-match') ?? '')?.[1] ?? null,
          signal: request.signal,
        })
        if (read === null) return new Response(null, { status: 304, headers: noStore })
        const { etag } = read.assignments
        return new Response(read.json, {
          headers: { ...noStore, 'content-type': 'application/json', etag: `"${etag}"` },
        })
      },
      {
        detail: verifierOperations.assignments,
        response: { 200: Assignments, ...refusals(401) },
      },
    )
    .post(
      '/me/reports',
      async ({ request }) => {
        const { verifierId, signature } = signedBy(request)
        const isActiveVerifier = verifiers.activeVerifiers.find(verifierId ?? '') !== undefined
        const ack = await refused.hold({ address: callerOf(request).address, isActiveVerifier }, async () => {
          const { content } = await readRawBody(request, protocolLimits.batchBytes)
          if (!isActiveVerifier) await verifiers.lookUp(verifierId)
          return await takeTurn(() => verifiers.reports.take({ verifierId, signature, body: content }))
        })
        return Response.json(ack, { headers: noStore })
      },
      {
        parse: 'none',
        detail: verifierOperations.report,
        response: { 200: ReportAck, ...refusals(401, 409, 415, 422, 429) },
      },
    )
}

/** Returns the audit entry of an enrolment. It names the token by the id under which its creation is recorded. */
function enrolmentEntry(request: Request, { verifier, token }: Enrolled): AuditEntry {
  const { id, name, region, version, families, publicKey } = verifier
  return {
    actor: enrolmentActor,
    action: 'verifier.enroll',
    subject: { kind: 'verifier', id },
    after: { name, region, version, families, publicKey, tokenId: token.id, tokenName: token.label },
    ip: callerOf(request).address,
    requestId: requestIdOf(request),
  }
}
