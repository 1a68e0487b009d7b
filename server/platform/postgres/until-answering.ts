import postgres from 'postgres'
import { systemClock } from '../clock.ts'
import { parseAddress } from './connection-address.ts'
import { isUnavailable } from './connection-loss.ts'
import { driverOptions } from './connections.ts'
import { DeadlinePassed, withinDeadline } from '../deadline.ts'

const retryMs = 250
const attemptMs = 5000
const patienceMs = 15_000

/**
 * Waits for a server that may be starting at the same time as this process.
 * @throws Error naming the address, never the password, when it does not answer within `patienceMs`;
 *   at once when it answers with a refusal (wrong password, no such database).
 */
export async function untilAnswering(url: string): Promise<void> {
  const { url: plainUrl, path } = parseAddress(url)
  const startedAt = systemClock.monotonic()
  for (;;) {
    const failure = await ask(url, plainUrl)
    if (failure === null) return
    const isWorthRetrying = failure instanceof DeadlinePassed || isUnavailable(failure)
    if (!isWorthRetrying || systemClock.monotonic() - startedAt > patienceMs) {
      const reason = failure instanceof Error ? failure.message : String(failure)
      throw new Error(`cannot use the database at ${path ?? new URL(url).host}: ${reason}`, {
        cause: failure,
      })
    }
    await Bun.sleep(retryMs)
  }
}

/** Null when the server answered. */
async function ask(url: string, plainUrl: string): Promise<unknown> {
  const connection = postgres(plainUrl, { ...driverOptions(url), max: 1 })
  try {
    await withinDeadline(connection`select 1`, attemptMs)
    return null
  } catch (error) {
    return error
  } finally {
    await connection.end({ timeout: 0 })
  }
}
