import { ReportAck } from '../../../shared/verifier-protocol.ts'
import type { FaultCode } from '../../../shared/faults.ts'
import { Fault, fault } from '../../platform/fault.ts'
import type { Ownership } from '../../platform/leases/ownership.ts'
import type { FleetLink } from './fleet-link.ts'

/** A signed batch as a verifier sent it. */
export interface SignedReport {
  readonly verifierId: string | null
  readonly signature: string | null
  /** The raw, uncompressed JSON that was signed. */
  readonly body: Uint8Array
}

/** Passes a report on to the process that decides. Fault: `unavailable` while there is none, and those of its answer. */
export type PassOn = (report: SignedReport) => Promise<ReportAck>

export const reportPath = '/health/report'

const headMs = 5_000

interface PassOnOptions {
  readonly link: Pick<FleetLink, 'send'> | null
  readonly ownership: Pick<Ownership, 'owner'>
}

export function createPassOn({ link, ownership }: PassOnOptions): PassOn {
  return async (report) => {
    const owner = ownership.owner()
    if (owner === null || link === null) throw nobodyDecides()
    const response = await link
      .send(owner.holder, { path: reportPath, body: writeReport(report), headMs })
      .catch((error: unknown) => {
        throw nobodyDecides(error)
      })
    const answer: unknown = await response.json()
    if (response.ok) return ReportAck.parse(answer)
    throw readFault(answer as WireFault)
  }
}

/** Answers a report that another process has passed on. */
export async function answerReport(
  body: Uint8Array,
  receive: (report: SignedReport) => Promise<ReportAck>,
): Promise<Response> {
  try {
    return Response.json(await receive(readReport(body)))
  } catch (error) {
    if (error instanceof Fault) return Response.json(wireFault(error), { status: 422 })
    throw error
  }
}

export const nobodyDecides = (detail?: unknown): Fault =>
  fault('unavailable', 'another process is about to decide; try again shortly', { detail, retryAfterSec: 1 })

const lineEnd = 10

/** The first line says who signed it, the rest is the batch as it came. */
function writeReport({ verifierId, signature, body }: SignedReport): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([Buffer.from(`${JSON.stringify({ verifierId, signature })}\n`), body]))
}

function readReport(text: Uint8Array): SignedReport {
  const end = text.indexOf(lineEnd)
  const { verifierId, signature } = JSON.parse(Buffer.from(text.subarray(0, end)).toString()) as SignedReport
  return { verifierId, signature, body: text.subarray(end + 1) }
}

interface WireFault {
  readonly code: FaultCode
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly retryAfterSec?: number
}

const wireFault = ({ code, message, headers, retryAfterSec }: Fault): WireFault => ({
  code,
  text: message,
  headers,
  ...(retryAfterSec !== undefined && { retryAfterSec }),
})

const readFault = ({ code, text, headers, retryAfterSec }: WireFault): Fault =>
  fault(code, text, { headers: { ...headers }, ...(retryAfterSec !== undefined && { retryAfterSec }) })
