import type { UpstreamResponse } from '../upstreams/upstream-response.ts'

/** Why a node did not take a batch. `most`: how many calls it takes at once; null: fewer, and it does not say how many. */
export interface BatchRefusal {
  readonly most: number | null
  /** It answers what it takes for one call, so that it may have done something. */
  readonly isDone: boolean
  /** It speaks of the bytes of this batch, and may take as many other calls. */
  readonly isBySize?: true
}

interface RefusalText {
  readonly source: string
  /** The first group is the number of calls that is allowed. */
  readonly pattern: RegExp
  /** Where the text names no number. */
  readonly most: number | null
}

/** In lower case. A number of bytes is none of calls. */
const refusalTexts: readonly RefusalText[] = [
  {
    source:
      'jsonrpsee (reth, Substrate, Starknet nodes), types/src/error.rs: BATCHES_NOT_SUPPORTED_MSG, -32005',
    pattern: /batch(?:ed)? requests? (?:is|are) not (?:supported|allowed|enabled)/,
    most: 1,
  },
  {
    source: 'jsonrpsee, types/src/error.rs: TOO_BIG_BATCH_REQUEST_MSG, -32010 (-32008 before 0.17)',
    pattern: /the batch request was too large(?:.*exceeded max limit of (\d+))?/,
    most: null,
  },
  { source: 'geth, rpc/errors.go: errMsgBatchTooLarge, -32600', pattern: /\bbatch too large\b/, most: null },
  {
    source: 'Erigon, rpc/handler.go: respondWithBatchTooLarge; rpc/server.go before',
    pattern: /batch limit (\d+) exceeded/,
    most: null,
  },
  {
    source: 'Nethermind, JsonRpcProcessor.cs, -32005',
    pattern: /batch (?:size )?limit (?:is )?exceeded/,
    most: null,
  },
  {
    source: 'Besu, RpcErrorType.java: EXCEEDS_RPC_MAX_BATCH_SIZE, -32005',
    pattern: /number of requests exceeds max batch size/,
    most: null,
  },
  {
    source: 'Acala, bodhi.js, eth-rpc-adapter/src/transports/http.ts',
    pattern: /exceeded maximum batch size(?: (\d+))?/,
    most: null,
  },
  {
    source: 'dRPC, with status 500: free plan',
    pattern: /batch of more than (\d+) requests? (?:is|are) not allowed/,
    most: null,
  },
  {
    source: 'proxyd, rpc_server.go: ErrTooManyBatchRequests, -32014',
    pattern: /too many rpc calls in batch request/,
    most: null,
  },
  {
    source: 'others: a maximum with its number',
    pattern: /max(?:imum)?(?: allowed)? batch (?:size|length|limit)(?: is| of|:)? ?(\d+)/,
    most: null,
  },
]

/** Errors of who expects one call and finds an array: -32600 (no request) and -32700 (no JSON). Ours is well-formed. */
const notUnderstood = /"code"\s*:\s*-32(?:600|700)\b/

const readChars = 2_000

/** Returns why a node did not take a batch of `count` calls; null where it did, or the answer says something else. */
export function batchRefusalOf(
  { status, answers, text }: UpstreamResponse,
  count: number,
): BatchRefusal | null {
  if (answers !== null && answers.some((answer) => answer !== null && !answer.isError)) return null
  const words = text.slice(0, readChars).toLowerCase()
  for (const { pattern, most } of refusalTexts) {
    const found = pattern.exec(words)
    if (found !== null) return { most: mostOf(found[1], most, count), isDone: false }
  }
  if (status === 413) return { most: null, isDone: false, isBySize: true }
  if (!words.trimStart().startsWith('{')) return null
  if (notUnderstood.test(words)) return { most: 1, isDone: false }
  return answers === null && /^\s*\{[^{]*"result"\s*:/.test(words) ? { most: 1, isDone: true } : null
}

/** A number that would allow what was refused is about something else. */
function mostOf(told: string | undefined, most: number | null, count: number): number | null {
  const number = told === undefined ? most : Number(told)
  return number === null || number < 1 || number >= count ? null : number
}
