import { setTimeout as sleep } from 'node:timers/promises'

import {
  type AskedProcesses,
  isGap,
  missingRequests,
  type RequestAttempt,
  RequestQuery,
  requestGroups,
  requestLogBounds,
  type ShownRequest,
} from '../../../shared/request-log.ts'
import { parseInstantFlag, parseNumberFlag } from '../arguments/value-flags.ts'
import { type CliCommand, type ParsedArguments, checkedFlags, dataDirFlag } from '../arguments/command.ts'
import { connectToServer } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { printError, printJsonResult, printResult } from '../output/terminal.ts'

const titles = ['TIME', 'STATUS', 'METHOD', 'KEY', 'ENDPOINT', 'CLASS', 'TOOK', 'CREDITS', 'ATTEMPTS']

/** Returns requests as a table, in the order given. */
export const requestTable = (requests: readonly ShownRequest[]): string =>
  formatTable(titles, requests.map(cellsOf))

function cellsOf(request: ShownRequest): string[] {
  const time = new Date(request.at).toISOString()
  if (isGap(request)) return [time, '-', `${request.notKept} requests were not kept: the log was full`]
  const { status, endpoint, ms, credits, attempts } = request
  return [
    time,
    String(status),
    request.calls > 1 ? `batch of ${request.calls}` : (request.method ?? '-'),
    request.keyName ?? request.keyId,
    endpoint,
    request.weight > 1 ? `${request.class} (1 of ${request.weight})` : request.class,
    `${ms} ms`,
    String(credits),
    attempts.map(attemptText).join(', ') || '-',
  ]
}

const attemptText = ({ upstream, class: name, ms, isShared }: RequestAttempt): string =>
  `${upstream} ${name} ${ms} ms${isShared === true ? ' (shared)' : ''}`

const followEveryMs = 1_000
/** Requests of another process may come with an earlier time than those that are known. */
const clocksApartMs = 5_000

const requests: CliCommand = {
  name: 'requests',
  about: 'Shows what was relayed lately, the newest first: every failure of a day, and a sample of answers.',
  positionals: [],
  flags: {
    follow: { type: 'boolean', about: 'go on with new ones as they come, the newest last' },
    account: { type: 'string', value: 'ID', about: 'only of this account (id or wallet address)' },
    key: { type: 'string', value: 'ID', about: 'only of this query key' },
    endpoint: { type: 'string', value: 'NAME', about: 'only of this endpoint' },
    method: { type: 'string', value: 'METHOD', about: 'only of this method' },
    upstream: { type: 'string', value: 'NAME', about: 'only what was sent to this upstream' },
    outcome: { type: 'string', value: 'OUTCOME', about: requestGroups.join(', ') },
    status: { type: 'string', value: 'STATUS', about: 'only with this HTTP status' },
    request: { type: 'string', value: 'ID', about: 'the x-request-id of one' },
    from: { type: 'string', value: 'DATE', about: 'such as 2026-01-31 or 2026-01-31T12:00:00Z' },
    to: { type: 'string', value: 'DATE', about: 'not included' },
    before: { type: 'string', value: 'CURSOR', about: 'the page after the one that ended with it' },
    limit: {
      type: 'string',
      value: 'COUNT',
      about: `at most ${requestLogBounds.pageSize}, which is the default`,
    },
    ...dataDirFlag,
  },
  notes: `The log holds parameters only of keys whose owner turned debug on (--json). It is asked of every process of the
installation; those that do not answer are named. Exact numbers are in the usage statistics.`,
  async run(args) {
    const client = connectToServer(args)
    const query = readQuery(args)
    const page = await client.requests.list.query(query)
    const missing = missingRequests(page)
    if (missing !== null) printError(missing)
    if (!args.isSet('follow')) return printPage(page, args)
    print(page.requests.toReversed(), args)
    await follow(page, query, client, args)
  },
}

const tooMany =
  'More came than one page holds, and some are not shown: narrow them, with --outcome or --key for instance.'

/** Goes on after a page, for ever. */
async function follow(
  page: Page,
  query: RequestQuery,
  client: ReturnType<typeof connectToServer>,
  args: ParsedArguments,
): Promise<void> {
  let { requests: shown } = page
  let told = missingRequests(page)
  let isBehind = false
  for (;;) {
    await sleep(followEveryMs)
    const from = Math.max(query.from ?? 0, (shown[0]?.at ?? 0) - clocksApartMs)
    const next = await client.requests.list.query({ ...query, from })
    const missing = missingRequests(next)
    if (missing !== told) printError(missing ?? 'Every process answers again.')
    told = missing
    const known = new Set(shown.map(({ id }) => id))
    const added = next.requests.filter(({ id }) => !known.has(id))
    const wasBehind = isBehind
    isBehind = next.nextCursor !== null && added.length === next.requests.length
    if (isBehind && !wasBehind) printError(tooMany)
    print(added.toReversed(), args)
    if (next.requests.length > 0) shown = next.requests
  }
}

interface Page extends AskedProcesses {
  readonly requests: readonly ShownRequest[]
  readonly nextCursor: string | null
}

function printPage(page: Page, args: ParsedArguments): void {
  const { requests: shown, nextCursor, processes, silent } = page
  if (args.isJson) return printJsonResult({ requests: shown, nextCursor, processes, silent })
  if (shown.length === 0) return printResult('No request matches.')
  const more = nextCursor === null ? '' : `\nThere are older ones: add --before ${nextCursor}.`
  printResult(`${requestTable(shown).trimEnd()}${more}`)
}

/** Prints a line for each, for a terminal or for a program that reads lines. */
function print(followed: readonly ShownRequest[], args: ParsedArguments): void {
  for (const request of followed)
    printResult(args.isJson ? JSON.stringify(request) : formatTable(cellsOf(request), []).trimEnd())
}

/** Throws `CommandFailure`. */
function readQuery(args: ParsedArguments): RequestQuery {
  const typed = {
    account: args.text('account'),
    keyId: args.text('key'),
    endpoint: args.text('endpoint'),
    method: args.text('method'),
    upstream: args.text('upstream'),
    group: args.text('outcome'),
    status: parseNumberFlag(args, 'status'),
    requestId: args.text('request'),
    from: parseInstantFlag(args, 'from'),
    to: parseInstantFlag(args, 'to'),
    before: args.text('before'),
    limit: parseNumberFlag(args, 'limit'),
  }
  return checkedFlags(RequestQuery, typed, { keyId: 'key', group: 'outcome', requestId: 'request' })
}

export const requestCommands: readonly CliCommand[] = [requests]
