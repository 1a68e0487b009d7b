import { gzipSync } from 'node:zlib'

import { ErrorResponse } from '../../../shared/faults.ts'
import {
  Assignments,
  ReportAck,
  assignmentsText,
  protocolLimits,
  signatureHeader,
} from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Egress, EgressError, type EgressRequest, type EgressResponse } from '../../platform/egress.ts'
import { parseJson } from '../../platform/json.ts'
import type { VerifierIdentity } from '../identity/identity.ts'
import type { AssignmentsOutcome, ReportOutcome, ServerClient } from './server-client.ts'
import { createServerTime } from './server-time.ts'

export interface HttpServerClientOptions {
  /** The address of the server, with or without a path below which it is mounted. */
  serverUrl: string
  verifierId: string
  identity: VerifierIdentity
  egress: Egress
  clock: Clock
}

const pingTimeoutMs = 2_000
const reportTimeoutMs = 15_000
const assignmentsTimeoutMs = protocolLimits.assignmentsWaitMs + 10_000
const maxAnswerBytes = 65_536
const maxAssignmentsBytes = 64 * 1_048_576
const compressFromBytes = 8_192
const defaultRetryAfterMs = 5_000
const longestRetryAfterMs = 300_000

/** Resolves a path of the API below the server's address. */
export const endpointOf = (serverUrl: string, path: string): string =>
  `${serverUrl.replace(/\/+$/, '')}${path}`

/** The client of a stand-alone verifier: the verifier protocol over HTTP. */
export function createHttpServerClient(options: HttpServerClientOptions): ServerClient {
  const { serverUrl, verifierId, identity, egress, clock } = options
  const serverTime = createServerTime(clock)

  /** Returns the answer, or null when none came. */
  async function exchange(request: EgressRequest): Promise<EgressResponse | null> {
    try {
      return await egress.request(request)
    } catch (error) {
      if (error instanceof EgressError) return null
      throw error
    }
  }

  function askForAssignments(etag: string | null, signal: AbortSignal): Promise<EgressResponse | null> {
    const time = serverTime.now()
    return exchange({
      url: endpointOf(serverUrl, '/v1/verifiers/me/assignments'),
      headers: {
        'verifier-id': verifierId,
        'verifier-time': String(time),
        'verifier-signature': signatureHeader(identity.sign(assignmentsText(verifierId, time))),
        ...(etag !== null && { 'if-none-match': quoted(etag) }),
      },
      timeoutMs: assignmentsTimeoutMs,
      maxBytes: maxAssignmentsBytes,
      signal,
    })
  }

  return {
    async assignments(etag, signal) {
      let response = await askForAssignments(etag, signal)
      const skewed = response && serverTimeOf(response)
      if (skewed !== null) {
        serverTime.synchronize(skewed)
        response = await askForAssignments(etag, signal)
      }
      return response ? readAssignments(response) : { kind: 'unreachable' }
    },

    async report(body, signature) {
      const isLarge = body.byteLength > compressFromBytes
      const response = await exchange({
        url: endpointOf(serverUrl, '/v1/verifiers/me/reports'),
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'verifier-id': verifierId,
          'verifier-signature': signature,
          ...(isLarge && { 'content-encoding': 'gzip' }),
        },
        body: isLarge ? gzipSync(body) : body,
        timeoutMs: reportTimeoutMs,
        maxBytes: maxAnswerBytes,
      })
      return response ? readReportAnswer(response) : { kind: 'unreachable' }
    },

    async ping() {
      const url = endpointOf(serverUrl, '/healthz')
      const response = await exchange({ url, timeoutMs: pingTimeoutMs, maxBytes: maxAnswerBytes })
      return response !== null
    },
  }
}

function readAssignments(response: EgressResponse): AssignmentsOutcome {
  if (response.status === 304) return { kind: 'unchanged' }
  if (isRevoked(response)) return { kind: 'revoked' }
  const { status } = response
  if (status >= 500) return { kind: 'unreachable' }
  if (status !== 200) return { kind: 'refused', status, message: serverRefusalOf(response).message }
  const parsed = Assignments.safeParse(parseJson(response.text))
  return parsed.success ? { kind: 'changed', assignments: parsed.data } : { kind: 'unreachable' }
}

function readReportAnswer(response: EgressResponse): ReportOutcome {
  const { status, headers, text } = response
  if (status === 200) {
    const parsed = ReportAck.safeParse(parseJson(text))
    return parsed.success ? { kind: 'accepted', ack: parsed.data } : { kind: 'unreachable' }
  }
  if (isRevoked(response)) return { kind: 'revoked' }
  if (status === 429 || status === 503) return { kind: 'busy', retryAfterMs: retryAfterMs(headers) }
  if (status >= 500) return { kind: 'unreachable' }
  const lastSeq = wholeNumber(headers.get('verifier-last-seq'))
  if (status === 409 && lastSeq !== null) return { kind: 'replayed', lastSeq }
  const serverTimeMs = serverTimeOf(response)
  if (serverTimeMs !== null) return { kind: 'clock_skew', serverTimeMs }
  const { code, message } = serverRefusalOf(response)
  const isOfServer = code !== '' || status === 413 // a proxy that takes no batch of this size never will
  return isOfServer ? { kind: 'rejected', message } : { kind: 'refused', status, message }
}

/** Returns the code and message of a refusal, which has the form of the specification's ErrorResponse; without that, no code. */
export function serverRefusalOf({ status, text }: EgressResponse): { code: string; message: string } {
  const parsed = ErrorResponse.safeParse(parseJson(text))
  return parsed.success
    ? parsed.data.error
    : { code: '', message: `the server answered with status ${status}` }
}

/** An unknown verifier counts as revoked: the operator has removed it, or this is another installation. */
const isRevoked = (response: EgressResponse): boolean =>
  response.status === 401 && ['verifier_revoked', 'verifier_unknown'].includes(serverRefusalOf(response).code)

/** Returns the server's time (epoch ms) from a refusal for clock skew; null for every other answer. */
const serverTimeOf = (response: EgressResponse): number | null =>
  response.status === 400 && serverRefusalOf(response).code === 'clock_skew'
    ? wholeNumber(response.headers.get('server-time-ms'))
    : null

function retryAfterMs(headers: Headers): number {
  const seconds = wholeNumber(headers.get('retry-after'))
  return seconds === null ? defaultRetryAfterMs : Math.min(seconds * 1_000, longestRetryAfterMs)
}

function wholeNumber(text: string | null): number | null {
  if (text === null || !/^\d{1,16}$/.test(text)) return null
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : null
}

/** RFC 9110 section 8.8.3: an entity tag stands in quotes. */
const quoted = (etag: string): string => `"${etag}"`
