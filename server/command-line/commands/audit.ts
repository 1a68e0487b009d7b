import * as z from 'zod/mini'

import { AuditQuery, emptyChain } from '../../../shared/audit.ts'
import type { ChainBreak, ChainHead } from '../../../shared/audit.ts'
import { describeInvalid } from '../../platform/validation-text.ts'
import { parseChainHeadFlag, parseInstantFlag } from '../arguments/audit-flags.ts'
import { CommandFailure, dataDirFlag } from '../arguments/command.ts'
import type { CliCommand, ParsedArguments } from '../arguments/command.ts'
import { connectToServer } from '../control-client.ts'
import type { ProcedureOutputs, ControlClient } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { createProgressLine, printResult, printJsonResult } from '../output/terminal.ts'

type ListedEvent = ProcedureOutputs['audit']['list']['events'][number]

const titles = ['SEQ', 'AT', 'WHO', 'ACTION', 'SUBJECT', 'IP']

/** Returns events as a table, in the order given. */
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

const list: CliCommand = {
  name: 'audit list',
  about: 'Lists who did what, the newest first.',
  positionals: [],
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
  async run(args) {
    const page = await connectToServer(args).audit.list.query(readQuery(args))
    if (args.isJson) {
      printJsonResult(page)
      return
    }
    if (page.events.length === 0) printResult('No event matches.')
    else printResult(auditTable(page.events).trimEnd())
    if (page.nextCursor !== null) printResult(`There are older ones: add --before ${page.nextCursor}.`)
  },
}

/** Parses the flags with the server's schema, whose messages name the field. Throws `CommandFailure`. */
function readQuery(args: ParsedArguments): AuditQuery {
  const typed = {
    actor: args.text('actor'),
    action: args.text('action'),
    subjectKind: args.text('subject-kind'),
    subjectId: args.text('subject'),
    from: parseInstantFlag(args, 'from'),
    to: parseInstantFlag(args, 'to'),
    cursor: numberOf(args.text('before')),
    limit: numberOf(args.text('limit')),
  }
  const query = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== null))
  const checked = z.safeParse(AuditQuery, query)
  if (!checked.success) throw new CommandFailure(describeInvalid(AuditQuery, query, 'query'))
  return checked.data
}

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))

const verify: CliCommand = {
  name: 'audit verify',
  about: 'Checks that no event was changed or removed.',
  positionals: [],
  flags: {
    head: { type: 'string', value: 'SEQ:HASH', about: 'what an earlier check printed as the head' },
    ...dataDirFlag,
  },
  notes: `Keep the head that it prints where nobody who can write to the database can write: only against such a head
does a later check show that the newest events were cut off, or that the whole log was rewritten.
The exit code is 1 when something is wrong.`,
  async run(args) {
    const remembered = parseChainHeadFlag(args.text('head'))
    const { firstBad, head } = await checkWholeChain(connectToServer(args), remembered)
    if (args.isJson)
      printJsonResult({ isIntact: firstBad === null, count: head.seq, firstBad, head: headText(head) })
    else if (firstBad === null)
      printResult(`${head.seq} events, all as they were recorded.\nHead: ${headText(head)}`)
    if (firstBad !== null) throw new CommandFailure(`the log is broken: ${describeBreak(firstBad)}`)
  },
}

async function checkWholeChain(client: ControlClient, remembered: ChainHead | null) {
  const progress = createProgressLine()
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

/** Returns a clause such as `event 12 is missing`. */
export const describeBreak = ({ seq, reason }: ChainBreak): string => `event ${seq} ${reasonTexts[reason]}`

export const auditCommands: readonly CliCommand[] = [list, verify]
