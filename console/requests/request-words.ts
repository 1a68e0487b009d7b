import {
  type RequestAttempt,
  type RequestClass,
  type RequestEntry,
  requestClasses,
} from '../../shared/request-log.ts'
import { readerZone } from '../ui/reader-zone.ts'

/** A class in a word or two, as a row has it. */
export const classWords: Readonly<Record<RequestClass, string>> = {
  answer: 'answer',
  cache: 'cache',
  error: 'error of the node',
  'rate-limit': 'rate limit',
  'credits-limit': 'credits limit',
  'ip-not-allowed': 'address not allowed',
  'domain-not-allowed': 'page not allowed',
  'method-refused': 'method refused',
  invalid: 'invalid request',
  partial: 'partly unanswered',
  timeout: 'no answer in time',
  busy: 'all nodes busy',
  'upstream-limited': 'upstream limited',
  'too-large': 'answer too large',
  'no-answer': 'no answer',
  unavailable: 'unavailable',
}

/** What an attempt came to, in a sentence; unknown classes are told as they are. */
const attemptSentences: Readonly<Record<string, string>> = {
  answer: 'Answered',
  'node-failure': 'Node failure: its answer speaks against the node',
  'call-failure': 'The node could not carry out this call',
  limit: 'The node limits us',
  'missing-data': 'The node does not have the data',
  unsupported: 'The node does not offer the method',
  malformed: 'Its answer is no JSON-RPC',
  'too-large': 'Its answer is too large',
  'decompression-bomb': 'Its answer was made to become too large when it is decompressed',
  unreachable: 'It could not be reached, or closed the connection',
  certificate: 'Its certificate is not valid',
  timeout: 'No answer in time',
  unsent: 'Not sent: too much is on its way to the node',
}

export const attemptSentence = ({ class: name, isShared }: RequestAttempt): string =>
  `${attemptSentences[name] ?? name}${isShared === true ? '; sent for an equal call at the same time' : ''}`

/** The upstream that answered, or else the last one that was called; null: none was. */
export const upstreamText = ({ attempts }: RequestEntry): string | null =>
  (attempts.findLast((attempt) => attempt.class === 'answer') ?? attempts.at(-1))?.upstream ?? null

export const requestGroupOf = (request: RequestEntry) => requestClasses[request.class]

/** `eth_call`, or `batch of 24`. */
export function methodText({ method, calls }: RequestEntry): string {
  if (calls > 1) return `batch of ${calls}`
  return method ?? '–'
}

const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** `0.4 ms`, `28 ms`, `1.2 s`. */
export function tookText(ms: number): string {
  if (ms >= 1_000) return `${tenths.format(ms / 1_000)} s`
  return `${ms < 10 ? tenths.format(ms) : Math.round(ms)} ms`
}

/** `212 kB`, `80 bytes`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${tenths.format(bytes / 1_000)} kB` : `${tenths.format(bytes / 1_000_000)} MB`
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZone: readerZone(),
})
export const clockText = (at: number): string => clock.format(at)
