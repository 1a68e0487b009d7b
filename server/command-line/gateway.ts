import { missingSessions } from '../../shared/session-lists.ts'
import { systemClock } from '../platform/clock.ts'
import { ago } from './ago.ts'
import { dataDirFlag } from './command.ts'
import type { Command } from './command.ts'
import { controlClient } from './control-client.ts'
import type { Answers } from './control-client.ts'
import { readSettings } from './settings.ts'
import { formatTable } from './table.ts'
import { complain, print, printJson } from './terminal.ts'

type ListedSession = Answers['gateway']['allSessions']['sessions'][number]

const titles = ['ID', 'ACCOUNT', 'API KEY', 'TRANSPORT', 'CREDENTIALS FOR', 'OPENED', 'LAST USED']

const transports: Readonly<Record<ListedSession['kind'], string>> = {
  sse: 'SSE',
  streamable: 'HTTP, 2025',
  handle: 'HTTP, 2026',
}

/** As a table; `now` in epoch ms. */
export function sessionsTable(sessions: readonly ListedSession[], now: number): string {
  const rows = sessions.map(
    ({ id, accountId, keyId, kind, boundProviders, openedAt, lastUsedAt, isOpen }) => [
      id,
      accountId ?? '(anonymous)',
      keyId ?? '-',
      transports[kind],
      boundProviders.join(', ') || '-',
      ago(openedAt, now),
      isOpen ? 'connected now' : ago(lastUsedAt, now),
    ],
  )
  return formatTable(titles, rows)
}

const sessions: Command = {
  name: 'gateway sessions',
  about: 'Lists the sessions that agents have at the gateway now.',
  takes: [],
  flags: dataDirFlag,
  notes: 'An id here is a label: it opens nothing.',
  async run(given) {
    const listed = await controlClient(readSettings(given).dataDir).gateway.allSessions.query()
    const { sessions: all } = listed
    const missing = missingSessions(listed)
    if (missing !== null) complain(missing)
    if (given.isJson) printJson(all)
    else if (all.length === 0) print('No agent has a session now.')
    else print(sessionsTable(all, systemClock.now()).trimEnd())
  },
}

export const gatewayCommands: readonly Command[] = [sessions]
