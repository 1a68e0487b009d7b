/**
 * What methods have to do with streams of notifications, as data in the tables of `families/`. `websocket/` does what they
 * say. A family whose nodes have no such method has no subscriptions.
 */
export type StreamRole = OpensStream | ClosesStream | UsesStream

/**
 * How a node names a stream in its answer and in each notification:
 * - `hex`: a string like `"0x9cef…"`, in the member `subscription` of the parameters.
 * - `number`: a number, at the same place.
 * - `text`: any other string, at the same place.
 * - `digits`: a string of decimal digits, in the member `subscription_id`.
 * - `request`: not at all. Notifications are further answers with the id of the request, and the query names the stream
 *   when it is closed.
 */
export type StreamNames = 'hex' | 'number' | 'text' | 'digits' | 'request'

/** The method opens a stream. */
export interface OpensStream {
  readonly kind: 'opens'
  readonly names: StreamNames
  /** The method that closes it. */
  readonly closedBy: string
  /**
   * The methods of its notifications, separated by white space. Each notification is counted and charged by its method;
   * those that have none, by the first name here.
   */
  readonly tells: string
  /** Found in the notification with which the node itself ends the stream; null: it does not. */
  readonly ending: RegExp | null
  /** Whether each new block is told, so that silence says something. */
  readonly isEveryBlock: boolean
  /**
   * What becomes of it when its node is gone:
   * - `reopened`: another node goes on.
   * - `lost`: nothing can be done, and its caller is disconnected.
   * - anything else is the JSON text of the result with which nodes themselves tell that they end it.
   */
  readonly whenNodeIsGone: 'reopened' | 'lost' | `{${string}`
}

/** The method closes the stream that its first parameter names; with a family that names none, by its query, or all. */
export interface ClosesStream {
  readonly kind: 'closes'
  /** The JSON text of the result. */
  readonly result: string
}

/** The method needs the node of the stream that its first parameter names, or of its caller's other streams. */
export interface UsesStream {
  readonly kind: 'uses'
  readonly place: 'stream' | 'connection'
}

export const opensStream = (facts: Omit<OpensStream, 'kind'>): OpensStream => ({ kind: 'opens', ...facts })
export const closesStream = (result: string): ClosesStream => ({ kind: 'closes', result })
export const usesStream = (place: UsesStream['place']): UsesStream => ({ kind: 'uses', place })

/** What is true of most streams. */
export const usualStream = {
  ending: null,
  isEveryBlock: false,
  whenNodeIsGone: 'reopened',
} as const satisfies Partial<OpensStream>
