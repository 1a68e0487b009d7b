import type { Caller } from './caller.ts'
import type { SocketUser } from './web-socket.ts'

/** The facts that the edge knows of one request. Handlers reach them through the functions below, by the request itself. */
export interface RequestFacts {
  readonly requestId: string
  /** Template such as `/health/:serviceId`; for labels and logs, which never hold the raw path. */
  route: string
  /** The origin of the page of another site that may read the answer. */
  openTo?: string | null
  readonly caller: () => Caller
  /** Grants this one request another time-out than the server's; 0 is none. */
  readonly allowSeconds: (seconds: number) => void
  /** Makes a WebSocket of the connection; false: that is not possible. */
  readonly upgrade: (user: SocketUser) => boolean
}

/** The label of requests that reach no route. */
export const unmatchedRoute = 'unmatched'

const factsByRequest = new WeakMap<Request, RequestFacts>()

export function keepFacts(request: Request, facts: RequestFacts): void {
  factsByRequest.set(request, facts)
}

export function factsOf(request: Request): RequestFacts {
  const facts = factsByRequest.get(request)
  if (facts === undefined) throw new TypeError('this request did not come in through the edge')
  return facts
}

/** Echoed to the client as `x-request-id`. */
export const requestIdOf = (request: Request): string => factsOf(request).requestId

/** Client address and page origin, worked out on first use. */
export const callerOf = (request: Request): Caller => factsOf(request).caller()

/** Lets the page that asks read the answer, whatever it is. */
export function openToItsPage(request: Request): void {
  factsOf(request).openTo = request.headers.get('origin')
}

/**
 * Lets a handler take longer than the server's 10 seconds (long polls, streams); 0 is for ever.
 * Without it Bun resets the connection.
 */
export const allowSeconds = (request: Request, seconds: number): void =>
  factsOf(request).allowSeconds(seconds)
