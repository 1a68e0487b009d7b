import postgres from 'postgres'
import { systemClock } from '../clock.ts'
import { errorMessage } from '../error-message.ts'
import type { DatabaseAddress, ServerPlace } from './connection-address.ts'
import { isUnavailable } from './connection-loss.ts'
import { driverOptions, readOnlyServer, statementTimeoutMs } from './connections.ts'
import { DeadlinePassed, untilAborted, withinDeadline } from '../deadline.ts'

const retryMs = 250
const attemptMs = 5000
const patienceMs = 15_000

/** A server that can be written to, and what was found out about the way to it. */
export interface FoundServer {
  readonly address: DatabaseAddress
  readonly place: ServerPlace
}

interface AnsweringOptions {
  /** What the address comes from, where that is a setting, which the error then names. */
  readonly setting?: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | null
  readonly signal?: AbortSignal | undefined
}

/**
 * Waits for a server that may be starting at the same time as this process; of several for the one that can be written to.
 * @throws Error naming the address, never the password, when none answers within `patienceMs`;
 *   at once when it answers with a refusal (wrong password, no such database); the signal's reason when that aborts.
 */
export async function untilAnswering(
  address: DatabaseAddress,
  { setting = null, signal }: AnsweringOptions = {},
): Promise<FoundServer> {
  const startedAt = systemClock.monotonic()
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    const place = address.servers[attempt % address.servers.length] ?? address.servers[0]
    const answer = await ask(address, place)
    if (!(answer instanceof Refusal)) return { address: { ...address, isPooled: answer.isPooled }, place }
    const { failure } = answer
    const isWorthRetrying = failure instanceof DeadlinePassed || isUnavailable(failure)
    const isLast = (attempt + 1) % address.servers.length === 0
    if (isLast && (!isWorthRetrying || systemClock.monotonic() - startedAt > patienceMs)) {
      const reason = errorMessage(failure)
      const advice = setting === null ? '' : `; ${setting} says where it is`
      throw new Error(`cannot use the database at ${nameOf(place)}: ${reason}${advice}`, { cause: failure })
    }
    if (isLast) await (signal === undefined ? Bun.sleep(retryMs) : untilAborted(Bun.sleep(retryMs), signal))
  }
}

const nameOf = ({ path, host, port }: ServerPlace): string => path ?? `${host}:${port}`

class Refusal {
  readonly failure: unknown

  constructor(failure: unknown) {
    this.failure = failure
  }
}

/**
 * Asks a server, and finds out whether a pooler stands before it unless the address says so. A pooler refuses settings at
 * the start of a connection, or forgets them, because it cannot know which of its connections they are for.
 */
async function ask(address: DatabaseAddress, place: ServerPlace): Promise<{ isPooled: boolean } | Refusal> {
  const connection = postgres({ ...driverOptions(address, place), max: 1 })
  try {
    const asked = connection<{ is_read_only: boolean; timeout: string }[]>`
      SELECT current_setting('transaction_read_only') = 'on' AS is_read_only, setting AS timeout
      FROM pg_settings WHERE name = 'statement_timeout'`
    const [row] = await withinDeadline(asked, attemptMs)
    if (row === undefined || row.is_read_only) return new Refusal(readOnlyServer())
    const wanted = address.parameters['statement_timeout']
    const isForgotten = wanted === undefined && row.timeout !== String(statementTimeoutMs)
    return { isPooled: address.isPooled ?? isForgotten }
  } catch (error) {
    if (address.isPooled === null && isRefusedParameter(error))
      return ask({ ...address, isPooled: true }, place)
    return new Refusal(error)
  } finally {
    await connection.end({ timeout: 0 })
  }
}

/** As PgBouncer words it, with the code of a violated protocol. */
const isRefusedParameter = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '08P01' &&
  error.message.includes('startup parameter')
