import { missingSessions } from '../../../shared/session-lists.ts'
import { systemClock } from '../../platform/clock.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { dataDirFlag } from '../arguments/command.ts'
import type { CliCommand } from '../arguments/command.ts'
import { connectToServer } from '../control-client.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { printError, printResult, printJsonResult } from '../output/terminal.ts'

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

const sessions: CliCommand = {
  name: 'gateway sessions',
  about: 'Lists the sessions that agents have at the gateway now.',
  positionals: [],
  flags: dataDirFlag,
  notes: 'An id here is a label: it opens nothing.',
  async run(args) {
    const listed = await connectToServer(args).gateway.allSessions.query()
    const { sessions: all } = listed
    const missing = missingSessions(listed)
    if (missing !== null) printError(missing)
    if (args.isJson) printJsonResult(all)
    else if (all.length === 0) printResult('No agent has a session now.')
    else printResult(sessionsTable(all, systemClock.now()).trimEnd())
  },
}

export const gatewayCommands: readonly CliCommand[] = [sessions]
