import { missingSessions } from '../../../shared/session-lists.ts'
import { systemClock } from '../../platform/clock.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import type { CliCommand } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { printError } from '../output/terminal.ts'
import { serverCommand } from '../server-command.ts'

type ListedSession = ProcedureOutputs['gateway']['allSessions']['sessions'][number]

const titles = ['ID', 'ACCOUNT', 'API KEY', 'TRANSPORT', 'CREDENTIALS FOR', 'OPENED', 'LAST USED']

const transports: Readonly<Record<ListedSession['kind'], string>> = {
  sse: 'SSE',
  streamable: 'HTTP, 2025',
  handle: 'HTTP, 2026',
}

/** Returns sessions as a table; `now` in epoch ms. */
export function sessionsTable(sessions: readonly ListedSession[], now: number): string {
  const rows = sessions.map(
    ({ id, accountId, keyId, kind, boundProviders, openedAt, lastUsedAt, isOpen }) => [
      id,
      accountId ?? '(anonymous)',
      keyId ?? '-',
      transports[kind],
      boundProviders.join(', ') || '-',
      formatTimeAgo(openedAt, now),
      isOpen ? 'connected now' : formatTimeAgo(lastUsedAt, now),
    ],
  )
  return formatTable(titles, rows)
}

const sessions = serverCommand({
  name: 'gateway sessions',
  about: 'Lists the sessions that agents have at the gateway now.',
  notes: 'An id here is a label: it opens nothing.',
  async ask(client) {
    const listed = await client.gateway.allSessions.query()
    const missing = missingSessions(listed)
    if (missing !== null) printError(missing)
    return listed.sessions
  },
  text: (listed) =>
    listed.length === 0 ? 'No agent has a session now.' : sessionsTable(listed, systemClock.now()).trimEnd(),
})

export const gatewayCommands: readonly CliCommand[] = [sessions]
