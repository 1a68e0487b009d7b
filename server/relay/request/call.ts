/** One JSON-RPC call in a request: what of it is passed on, each part exactly as it was written. */
export interface Call {
  readonly kind: 'call'
  /** JSON text of the id; null: a notification, which gets no answer. */
  readonly id: string | null
  readonly method: string
  /** JSON text of the parameters; empty: none. */
  readonly params: string
}

/** An element that is no call. It is answered and costs nothing. */
export interface NoCall {
  readonly kind: 'no-call'
  /** JSON text; `null` where the id cannot be told. */
  readonly id: string
  /** What is wrong with it, for its sender. */
  readonly why: string
}

/** A request body that was read. */
export type ParsedRequest =
  | { readonly kind: 'calls'; readonly isBatch: boolean; readonly elements: readonly (Call | NoCall)[] }
  /** The whole body is refused, with a JSON-RPC error of this code. */
  | { readonly kind: 'refused'; readonly code: -32700 | -32600; readonly why: string }
  | { readonly kind: 'batch-too-large' }
