import * as z from 'zod/mini'

import { AuditQuery, emptyChain } from '../../shared/audit.ts'
import type { ChainBreak, ChainHead } from '../../shared/audit.ts'
import { describeInvalid } from '../platform/validation-text.ts'
import { readChainHead, readInstant } from './audit-flags.ts'
import { CommandFailure, dataDirFlag } from './command.ts'
import type { Command, Given } from './command.ts'
import { controlClient } from './control-client.ts'
import type { Answers, ControlClient } from './control-client.ts'
import { readSettings } from './settings.ts'
import { formatTable } from './table.ts'
import { createProgress, print, printJson } from './terminal.ts'

type ListedEvent = Answers['audit']['list']['events'][number]

const titles = ['SEQ', 'AT', 'WHO', 'ACTION', 'SUBJECT', 'IP']

/** As a table, in the order given. */
export function auditTable(events: readonly ListedEvent[]): string {
  const rows = events.map((event) => [
    String(event.seq),
    new Date(event.at).toISOString(),
    event.actorLabel === '' ? event.actor : event.actorLabel,
    event.action,
    `${event.subjectKind} ${event.subjectId}`,
    event.ip ?? '-',
  ])
  return formatTable(titles, rows)
}

const list: Command = {
  name: 'audit list',
  about: 'Lists who did what, the newest first.',
  takes: [],
  flags: {
    actor: { type: 'string', value: 'ID', about: 'an account, or cli, or system' },
    action: { type: 'string', value: 'ACTION', about: 'for instance api_key.reveal' },
    'subject-kind': { type: 'string', value: 'KIND', about: 'for instance api_key' },
    subject: { type: 'string', value: 'ID', about: 'to what it was done' },
    from: { type: 'string', value: 'DATE', about: 'such as 2026-01-31 or 2026-01-31T12:00:00Z' },
    to: { type: 'string', value: 'DATE', about: 'not included' },
    before: { type: 'string', value: 'SEQ', about: 'only events with a smaller number' },
    limit: { type: 'string', value: 'COUNT', about: 'at most 100 (default: 50)' },
    ...dataDirFlag,
  },
  async run(given) {
    const page = await controlClient(readSettings(given).dataDir).audit.list.query(readQuery(given))
    if (given.isJson) {
      printJson(page)
      return
    }
    if (page.events.length === 0) print('No event matches.')
    else print(auditTable(page.events).trimEnd())
    if (page.nextCursor !== null) print(`There are older ones: add --before ${page.nextCursor}.`)
  },
}

/** Checked by the schema that the server has, too, as its message names the field. Throws `CommandFailure`. */
function readQuery(given: Given): AuditQuery {
  const typed = {
    actor: given.text('actor'),
    action: given.text('action'),
    subjectKind: given.text('subject-kind'),
    subjectId: given.text('subject'),
    from: readInstant(given, 'from'),
    to: readInstant(given, 'to'),
    cursor: numberOf(given.text('before')),
    limit: numberOf(given.text('limit')),
  }
  const query = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== null))
  const checked = z.safeParse(AuditQuery, query)
  if (!checked.success) throw new CommandFailure(describeInvalid(AuditQuery, query, 'query'))
  return checked.data
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))

const verify: Command = {
  name: 'audit verify',
  about: 'Checks that no event was changed or removed.',
  takes: [],
  flags: {
    head: { type: 'string', value: 'SEQ:HASH', about: 'what an earlier check printed as the head' },
    ...dataDirFlag,
  },
  notes: `Keep the head that it prints where nobody who can write to the database can write: only against such a head
does a later check show that the newest events were cut off, or that all of the log was written anew.
The exit code is 1 when something is wrong.`,
  async run(given) {
    const remembered = readChainHead(given.text('head'))
    const { firstBad, head } = await followChain(controlClient(readSettings(given).dataDir), remembered)
    if (given.isJson)
      printJson({ isIntact: firstBad === null, count: head.seq, firstBad, head: headText(head) })
    else if (firstBad === null)
      print(`${head.seq} events, all as they were recorded.\nHead: ${headText(head)}`)
    if (firstBad !== null) throw new CommandFailure(`the log is broken: ${breakText(firstBad)}`)
  },
}

async function followChain(client: ControlClient, remembered: ChainHead | null) {
  const progress = createProgress()
  try {
    let part = await client.audit.verify.query({ after: emptyChain, remembered })
    while (!part.isComplete) {
      progress.show(`${part.head.seq} events checked`)
      part = await client.audit.verify.query({ after: part.head, remembered })
    }
    return part
  } finally {
    progress.end()
  }
}

const headText = ({ seq, hash }: ChainHead): string => `${seq}:${hash}`

const reasonTexts: Record<ChainBreak['reason'], string> = {
  missing: 'is missing',
  altered: 'is not as it was recorded',
  not_linked: 'does not follow the event before it',
  not_as_remembered: 'is another one than the head that you gave',
  cut_off: 'is missing, as are all behind it up to the head that you gave',
}

/** `event 12 is missing`. */
export const breakText = ({ seq, reason }: ChainBreak): string => `event ${seq} ${reasonTexts[reason]}`

export const auditCommands: readonly Command[] = [list, verify]
