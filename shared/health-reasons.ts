import type { Decision } from './health.ts'
import type { Objection, VoteDetails } from './health-details.ts'

/** What a vote says, in the word of the decision that it speaks for. */
export const votedDecisions = { OK: 'UP', LAG: 'LATENCY', BAD: 'DOWN' } as const satisfies Record<
  VoteDetails['vote'],
  Decision
>

/** What verifiers hold against a service, in words and without numbers. */
export const objectionWords: Readonly<Record<Objection, string>> = {
  DNS: 'its host name is not found',
  CONNECT: 'no connection',
  TLS: 'its certificate is not accepted',
  TIMEOUT: 'no answer in time',
  HTTP_4XX: 'it refuses the request (4xx)',
  RATE_LIMITED: 'it limits our rate (429)',
  HTTP_5XX: 'it fails inside (5xx)',
  NOT_JSON: 'its answer is not JSON',
  RPC_ERROR: 'it answers with an error',
  TOO_LARGE: 'its answer is too large',
  BLOCKED_ADDRESS: 'its address may not be probed',
  PAUSED: 'not probed, for it limits our rate',
  STALE: 'it is hopelessly behind',
  WRONG_CHAIN: 'it serves another chain',
  WRONG_GENESIS: 'its first block is that of another chain',
  FUTURE_HEAD: 'it claims blocks that cannot be there yet',
  FORKED: 'it is on a fork',
  FAILED: 'the probe failed',
  INCONSISTENT: 'it answers now this way, now that, as if its backends differ',
  BLOCKS_BEHIND: 'blocks behind',
  SECONDS_BEHIND: 'behind in time',
  SLOW: 'slow',
}

const objectionNames: ReadonlyMap<string, string> = new Map(Object.entries(objectionWords))

/**
 * Returns a reason as it is stored (`2 of 3 say LAG: BLOCKS_BEHIND`) in one sentence for people. Numbers are not in it;
 * what is written in another form stays as it is.
 */
export function reasonSentence(text: string): string {
  const missing = /^no quorum: (\d+) live$/.exec(text)?.[1]
  if (missing !== undefined) return `too few verifiers: ${missing} ${missing === '1' ? 'reports' : 'report'}`
  const match = /^(\d+) of (\d+) say (OK|LAG|BAD)(?:: ([A-Z_0-9, ]+))?$/.exec(text)
  if (match === null) return text
  const [, agreeing, all, vote, objections] = match
  const decision = Object.entries(votedDecisions).find(([name]) => name === vote)?.[1]
  const why = objections?.split(', ').map((name) => objectionNames.get(name) ?? name)
  return `${agreeing} of ${all} ${agreeing === '1' ? 'says' : 'say'} ${decision}${why ? `: ${[...new Set(why)].join('; ')}` : ''}`
}
