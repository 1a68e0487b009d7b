import type { GatewaySessionView } from './gateway.ts'

/** Sessions of all processes of the installation, as far as they told. */
export interface GatewaySessionList {
  readonly sessions: readonly GatewaySessionView[]
  /** How many there are; null: the others cannot be asked now, and only the process that answers tells its own. */
  readonly processes: number | null
  /** Those of them that did not answer in time. */
  readonly silent: number
}

/** What a list of sessions lacks; null: nothing. */
export function missingSessions({ processes, silent }: GatewaySessionList): string | null {
  if (processes === null)
    return 'The database is away: only the sessions of the process that answers are listed.'
  if (silent === 0) return null
  const who = silent === 1 ? 'it' : 'they'
  return `Sessions of ${silent} of ${processes} processes are missing: ${who} did not answer in time.`
}
