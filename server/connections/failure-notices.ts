import { hourMs } from '../../shared/durations.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { CallFailure } from './call-results.ts'
import type { DownstreamError } from './downstream/failure.ts'
import type { Route } from './route.ts'
import { RecentMap } from '../platform/recent-map.ts'

const maxEntries = 2_000

/** Writes to the log what tool servers do wrong: each thing once an hour, so that a server that is away does not fill it. */
export function createFailureNotices(log: Log, { monotonic }: Pick<Clock, 'monotonic'>) {
  const noted = new RecentMap<string, number>(maxEntries)

  function isDue(what: string): boolean {
    const now = monotonic()
    const last = noted.get(what)
    if (last !== undefined && now - last < hourMs) return false
    noted.set(what, now)
    return true
  }

  return {
    failed(
      { service: { serviceId } }: Route,
      { outcome }: CallFailure,
      { detail }: DownstreamError,
      stage: string,
    ): void {
      const fields = { serviceId, stage, outcome, why: detail }
      log.debug('downstream', fields)
      if (isDue(`${serviceId} ${outcome} ${detail}`))
        log.info('a tool server failed; this is said once an hour', fields)
    },

    /** Tells the operator in the log, and the owner of the connection. */
    secretQuoted(route: Route): void {
      const { serviceId } = route.service
      if (!isDue(`secret ${route.connectionId} ${serviceId}`)) return
      log.warn('a tool server quoted the secret that it was sent; nobody was shown it', { serviceId })
      void route.recordSecretQuoted()
    },
  }
}
