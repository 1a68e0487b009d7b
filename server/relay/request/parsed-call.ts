/** One JSON-RPC call in a request body: the parts of it that are passed on, each exactly as it was written. */
export interface ParsedCall {
  readonly kind: 'call'
  /** The JSON text of the id; null for a notification, which gets no answer. */
  readonly id: string | null
  readonly method: string
  /** The JSON text of the parameters; empty without any. */
  readonly params: string
  /** Whether it is answered in the form of JSON-RPC 1.0 and 1.1. */
  readonly isLegacy: boolean
}

/** An entry of a batch (or a whole body) that is no JSON-RPC call. It is answered and costs nothing. */
export interface InvalidEntry {
  readonly kind: 'invalid'
  /** The JSON text of the id; `null` where the id cannot be told. */
  readonly id: string
  /** Tells the sender what is wrong with it. */
  readonly reason: string
  readonly isLegacy: boolean
}

/** The names of all families' methods match. Other names exist nowhere, and would only hide one name in another. */
export const methodPattern = /^[A-Za-z0-9_.:-]{1,100}$/
