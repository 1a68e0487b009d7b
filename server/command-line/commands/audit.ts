import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

import {
  type ArchivedMonth,
  AuditQuery,
  type ChainBreak,
  type ChainHead,
  emptyChain,
} from '../../../shared/audit.ts'
import { parseChainHeadFlag, parseInstantFlag, parseNumberFlag } from '../arguments/value-flags.ts'
import {
  type CliCommand,
  CommandFailure,
  type ParsedArguments,
  checkedFlags,
  dataDirFlag,
} from '../arguments/command.ts'
import { readCommandSettings } from '../arguments/settings.ts'
import { type ControlClient, type ProcedureOutputs, connectToServer } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { createProgressLine, printResult, printJsonResult } from '../output/terminal.ts'
import { serverCommand } from '../server-command.ts'

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

const list = serverCommand({
  name: 'audit list',
  about: 'Lists who did what, the newest first.',
  flags: {
    actor: { type: 'string', value: 'ID', about: 'an account, or cli, or system' },
    action: { type: 'string', value: 'ACTION', about: 'for instance api_key.reveal' },
    'subject-kind': { type: 'string', value: 'KIND', about: 'for instance api_key' },
    subject: { type: 'string', value: 'ID', about: 'to what it was done' },
    from: { type: 'string', value: 'DATE', about: 'such as 2026-01-31 or 2026-01-31T12:00:00Z' },
    to: { type: 'string', value: 'DATE', about: 'not included' },
    before: { type: 'string', value: 'SEQ', about: 'only events with a smaller number' },
    limit: { type: 'string', value: 'COUNT', about: 'at most 100 (default: 50)' },
  },
  ask: (client, args) => client.audit.list.query(readQuery(args)),
  text({ events, nextCursor }) {
    const shown = events.length === 0 ? 'No event matches.' : auditTable(events).trimEnd()
    return nextCursor === null ? shown : `${shown}\nThere are older ones: add --before ${nextCursor}.`
  },
})

/** Throws `CommandFailure`. */
function readQuery(args: ParsedArguments): AuditQuery {
  const typed = {
    actor: args.text('actor'),
    action: args.text('action'),
    subjectKind: args.text('subject-kind'),
    subjectId: args.text('subject'),
    from: parseInstantFlag(args, 'from'),
    to: parseInstantFlag(args, 'to'),
    cursor: parseNumberFlag(args, 'before'),
    limit: parseNumberFlag(args, 'limit'),
  }
  return checkedFlags(AuditQuery, typed, {
    subjectKind: 'subject-kind',
    subjectId: 'subject',
    cursor: 'before',
  })
}

const verify: CliCommand = {
  name: 'audit verify',
  about: 'Checks that no event was changed or removed.',
  positionals: [],
  flags: {
    head: { type: 'string', value: 'SEQ:HASH', about: 'what an earlier check printed as the head' },
    archive: { type: 'string', value: 'DIR', about: 'checks the files of "audit archive" in DIR, too' },
    ...dataDirFlag,
  },
  notes: `Keep the head that it prints where nobody who can write to the database can write: only against such a head
does a later check show that the newest events were cut off, or that the whole log was rewritten.
The exit code is 1 when something is wrong.`,
  async run(args) {
    const remembered = parseChainHeadFlag(args.text('head'))
    const folder = readFolder(args)
    const { firstBad, head, unread } = await checkWholeChain(connectToServer(args), remembered, folder)
    if (args.isJson)
      printJsonResult({
        isIntact: firstBad === null,
        count: head.seq - unread,
        unread,
        firstBad,
        head: headText(head),
      })
    else if (firstBad === null)
      printResult(
        `${head.seq - unread} events, all as they were recorded.${unreadText(unread)}\nHead: ${headText(head)}`,
      )
    if (firstBad !== null) throw new CommandFailure(`the log is broken: ${describeBreak(firstBad)}`)
  },
}

/** A folder that is not there would pass for one that has nothing to check. */
function readFolder(args: ParsedArguments): string | null {
  const folder = args.text('archive')
  if (folder !== null && !existsSync(folder))
    throw new CommandFailure(`--archive: there is no folder ${folder}`)
  return folder
}

const unreadText = (unread: number): string =>
  unread === 0 ? '' : `\n${unread} older ones are in archives: --archive DIR checks them, too.`

/** Follows the files, if their folder is given, and then the database; `unread` counts archived events without files. */
async function checkWholeChain(client: ControlClient, remembered: ChainHead | null, folder: string | null) {
  const months = await client.audit.archives.query()
  const unread = folder === null ? (months.at(-1)?.seq ?? 0) : 0
  if (remembered !== null && remembered.seq < unread) throw inArchive(remembered, months)
  let start = emptyChain
  const progress = createProgressLine()
  try {
    for (const { month } of folder === null ? [] : months) {
      progress.show(`archive of ${month}`)
      const verified = await client.audit.verifyMonth.query({
        month,
        folder: resolve(folder ?? ''),
        remembered,
      })
      if (verified.firstBad !== null) return { ...verified, unread }
      start = verified.head
    }
    let part = await client.audit.verify.query({ after: start, remembered })
    while (!part.isComplete) {
      progress.show(`${part.head.seq} events checked`)
      part = await client.audit.verify.query({ after: part.head, remembered })
    }
    return { ...part, unread }
  } finally {
    progress.end()
  }
}

/** What is in a file is compared there: without it any hash would pass. */
function inArchive({ seq }: ChainHead, months: readonly ArchivedMonth[]): CommandFailure {
  const month = months.find((one) => seq <= one.seq)?.month
  return new CommandFailure(`the head that you gave is in the archive of ${month}: add --archive DIR`)
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

const archive: CliCommand = {
  name: 'audit archive',
  about: 'Moves whole months of the log into compressed files, and out of the database.',
  positionals: [],
  flags: {
    before: {
      type: 'string',
      value: 'MONTH',
      isRequired: true,
      about: 'the first month that stays, such as 2026-01',
    },
    to: { type: 'string', value: 'DIR', about: 'where to write (default: audit-archive in the data folder)' },
    ...dataDirFlag,
  },
  notes: `The server writes the files, audit-MONTH.jsonl.gz with one event a line, and deletes what is on the disk. Keep them:
"audit verify --archive DIR" checks them together with what is left. Existing files are not overwritten.`,
  async run(args) {
    const client = connectToServer(args)
    const folder = resolve(args.text('to') ?? join(readCommandSettings(args).dataDir, 'audit-archive'))
    const before = args.required('before')
    const archived: string[] = []
    for (;;) {
      const month = await client.audit.archiveOldest.mutate({ before, folder })
      if (month === null) break
      archived.push(month.month)
      if (!args.isJson) printResult(`${month.month} is archived; head: ${headText(month)}`)
    }
    if (args.isJson) printJsonResult({ folder, archived })
    else if (archived.length === 0) printResult(`There is no month to archive before ${before}.`)
  },
}

export const auditCommands: readonly CliCommand[] = [list, verify, archive]
