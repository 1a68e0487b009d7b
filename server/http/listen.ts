import { systemClock } from '../platform/clock.ts'
import { nextTurn } from '../platform/turns.ts'
import { dropBeginnings, listeningSocketOf } from '../platform/listening-socket.ts'
import type { EdgeAnswer, EdgeConnections } from './edge.ts'
import { type SocketUser, webSocketHandlers } from '../platform/http/web-socket.ts'

export interface ListenOptions {
  host: string
  /** 0: any free port. */
  port: number
  /** Whether other processes listen there, too: each connection goes to one of them. False unless given. */
  isShared?: boolean
  /** Whether somebody else sends requests here for others, and elsewhere once this process stops. False unless given. */
  isBalanced?: boolean
}

export interface Listener {
  host: string
  port: number
  /**
   * Reads what has been sent already, refuses new connections, lets requests in flight finish for up to `graceMs`, then
   * cuts them off. Answers say `Connection: close` from the start of it. Where others listen, too, or a balancer turns to
   * them, connections that are open already may still send a request, for some 200 ms.
   */
  stop(graceMs: number): Promise<void>
}

/** The address cannot be listened on. The message is one sentence for the operator. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Bun closes a connection that does not complete a request in this time, even if bytes trickle in. */
export const receiveSeconds = 10

/**
 * Above every limit of ours, as Bun answers a longer body with an empty 413. A body of unknown length is cut off
 * by whoever reads it.
 */
const bunBodyBytes = Number.MAX_SAFE_INTEGER

interface Serving extends ListenOptions {
  fetch(request: Request, connections: EdgeConnections): EdgeAnswer
  beginDrain(): void
}

/** Throws `ListenError`. */
export function listen({
  host,
  port,
  isShared = false,
  isBalanced = false,
  fetch,
  beginDrain,
}: Serving): Listener {
  const server = serve(host, port, isShared, fetch)
  return {
    host,
    port: server.port ?? port,
    async stop(graceMs) {
      beginDrain()
      const hasOthers = isShared || isBalanced
      await (hasOthers ? readWhatComesLate(server.port ?? port) : readWhatHasCome())
      const grace = Promise.withResolvers<void>()
      const timer = setTimeout(grace.resolve, graceMs)
      // An open stream keeps this from ever resolving, and a connection on which nothing was sent, too.
      const ends = [server.stop(false), grace.promise]
      await Promise.race(hasOthers ? [...ends, untilAnswered(server, graceMs)] : ends)
      clearTimeout(timer)
      await server.stop(true)
    },
  }
}

/** A turn (ms) of the event loop in which nearly nothing was to be done: what was sent until then has been read. */
const calmTurnMs = 1
/** A connection is accepted in one turn and read in the next. */
const calmTurns = 3
/** Under a load that leaves no turn calm. */
const calmWithinMs = 1_000

/**
 * Lets what has reached this process be read. The system cuts off connections that are not accepted yet when the
 * listening socket closes, and a balancer does not send a call again that it has sent: its caller would get a 502.
 */
async function readWhatHasCome(): Promise<void> {
  const { monotonic } = systemClock
  const endsAt = monotonic() + calmWithinMs
  for (let calm = 0; calm < calmTurns && monotonic() < endsAt;) {
    const startedAt = monotonic()
    await nextTurn()
    calm = monotonic() - startedAt < calmTurnMs ? calm + 1 : 0
  }
}

const answeredPollMs = 20

/** Resolves when no request waits for its answer, or after `mostMs`. */
async function untilAnswered(
  server: Pick<Bun.Server<SocketUser>, 'pendingRequests' | 'pendingWebSockets'>,
  mostMs: number,
): Promise<void> {
  const { monotonic } = systemClock
  const endsAt = monotonic() + mostMs
  while (server.pendingRequests + server.pendingWebSockets > 0 && monotonic() < endsAt) {
    await Bun.sleep(answeredPollMs)
  }
}

/** Between the two steps of a balancer on a busy machine. */
const lateMs = 200

/**
 * Refuses new connections, and lets those that were made before send their request. A balancer connects and sends in two
 * steps, between which it may have to wait for a processor, and a port that closes resets what was not accepted. So
 * connections are accepted at once from here on; then none begins until those that have are accepted (who wanted to is
 * heard a second later, and refused), and the port closes.
 */
async function readWhatComesLate(port: number): Promise<void> {
  try {
    const socket = listeningSocketOf(port)
    socket.acceptAtOnce()
    await Bun.sleep(lateMs)
    socket.attach('socket', dropBeginnings)
    await readWhatHasCome()
    socket.close()
    await Bun.sleep(lateMs)
  } catch {
    await readWhatHasCome() // another system
  }
}

function serve(host: string, port: number, isShared: boolean, fetch: Serving['fetch']) {
  try {
    return Bun.serve<SocketUser>({
      hostname: host,
      port,
      // Otherwise a second copy starts silently on the same port and takes half of the requests.
      reusePort: isShared,
      development: false,
      idleTimeout: receiveSeconds,
      maxRequestBodySize: bunBodyBytes,
      fetch,
      websocket: webSocketHandlers,
    })
  } catch (error) {
    throw new ListenError(reason(error, host, port), { cause: error })
  }
}

function reason(error: unknown, host: string, port: number): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is already in use: stop what uses it, or name another by GATEHOUSE_PORT.`
    case 'EACCES':
      return `Port ${port} on ${host} needs privileges that this process does not have: name another by GATEHOUSE_PORT.`
    default:
      return `Cannot listen on port ${port} of ${host}: GATEHOUSE_HOST has to be an address of this machine.`
  }
}
