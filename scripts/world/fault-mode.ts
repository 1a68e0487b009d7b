/** What is wrong with a node, from now on. Modes from `lie` on change what EVM nodes say and pass the rest on. */
export type FaultMode =
  | { mode: 'pass' }
  | { mode: 'slow'; delayMs: number }
  /** Takes the request and never answers. */
  | { mode: 'freeze' }
  /** Sends headers and the first byte of the body, and then nothing. */
  | { mode: 'hang' }
  /** Closes the connection without a word. */
  | { mode: 'reset' }
  | { mode: 'status'; status: number; retryAfterSec?: number; body?: string }
  /** Answers every `every`-th request, and 429 to all others. */
  | { mode: 'rate'; every: number }
  /** The fault for this share of the requests (0 to 1), chosen at random; the others pass. */
  | { mode: 'sometimes'; share: number; fault: FaultMode }
  /** HTML with status 200, as a broken gateway sends it. */
  | { mode: 'garbage' }
  /** The first half of the answer. */
  | { mode: 'truncate' }
  | { mode: 'empty' }
  /** A body of this size. */
  | { mode: 'huge'; bytes: number }
  /** JSON-RPC errors to every call. */
  | { mode: 'rpc-error'; code: number; message: string }
  /** Batches are refused with one error object. */
  | { mode: 'no-batch' }
  /** Heads are so many blocks, and so many seconds, off the truth. */
  | { mode: 'lie'; headOffset: number; timestampOffsetSec?: number }
  | { mode: 'wrong-chain'; chainId: number }
  /** Blocks hold so many transactions, by their hashes. */
  | { mode: 'full-blocks'; transactions: number }
  /** The first answer to each call (method and parameters) is repeated for ever. */
  | { mode: 'stuck' }
