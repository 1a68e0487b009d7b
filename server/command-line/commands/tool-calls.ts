import {
  type ShownToolCall,
  toolCallBounds,
  toolCallGroups,
  ToolCallQuery,
} from '../../../shared/tool-calls.ts'
import { parseInstantFlag, parseNumberFlag } from '../arguments/value-flags.ts'
import { type CliCommand, type ParsedArguments, checkedFlags, dataDirFlag } from '../arguments/command.ts'
import { connectToServer } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { printJsonResult, printResult } from '../output/terminal.ts'

const titles = ['TIME', 'SERVER', 'TOOL', 'KEY', 'OUTCOME', 'TOOK', 'CREDITS']

function cellsOf(call: ShownToolCall): string[] {
  const { at, server, tool, keyName, keyId, outcome, deniedBy, weight, ms, credits } = call
  const became = deniedBy === null ? outcome : `${outcome} by ${deniedBy}`
  return [
    new Date(at).toISOString(),
    server,
    tool,
    keyName ?? keyId,
    weight > 1 ? `${became} (1 of ${weight})` : became,
    `${ms} ms`,
    String(credits),
  ]
}

const toolCalls: CliCommand = {
  name: 'tool-calls',
  about: 'Shows which tools were called lately, and what became of it, the newest first.',
  positionals: [],
  flags: {
    account: { type: 'string', value: 'ID', about: 'only of this account (id or wallet address)' },
    key: { type: 'string', value: 'ID', about: 'only with this API key, or of this agent' },
    server: { type: 'string', value: 'ID', about: 'only to this tool server, as the registry names it' },
    tool: { type: 'string', value: 'NAME', about: 'only of tools of this name' },
    outcome: { type: 'string', value: 'OUTCOME', about: toolCallGroups.join(', ') },
    from: { type: 'string', value: 'DATE', about: 'such as 2026-01-31 or 2026-01-31T12:00:00Z' },
    to: { type: 'string', value: 'DATE', about: 'not included' },
    before: { type: 'string', value: 'CURSOR', about: 'the page after the one that ended with it' },
    limit: {
      type: 'string',
      value: 'COUNT',
      about: `at most ${toolCallBounds.pageSize}, which is the default`,
    },
    ...dataDirFlag,
  },
  notes: `Single calls are kept for ${toolCallBounds.keptDays} days, and sampled above ${toolCallBounds.wholePerSecond} a second. Arguments and results are in the
console only. Exact numbers are in the statistics.`,
  async run(args) {
    const query = readQuery(args)
    const { calls, nextCursor } = await connectToServer(args).toolCalls.list.query(query)
    if (args.isJson) return printJsonResult({ calls, nextCursor })
    if (calls.length === 0) return printResult('No call matches.')
    const more = nextCursor === null ? '' : `\nThere are older ones: add --before ${nextCursor}.`
    return printResult(`${formatTable(titles, calls.map(cellsOf)).trimEnd()}${more}`)
  },
}

/** Throws `CommandFailure`. */
function readQuery(args: ParsedArguments): ToolCallQuery {
  const typed = {
    account: args.text('account'),
    keyId: args.text('key'),
    server: args.text('server'),
    tool: args.text('tool'),
    group: args.text('outcome'),
    from: parseInstantFlag(args, 'from'),
    to: parseInstantFlag(args, 'to'),
    before: args.text('before'),
    limit: parseNumberFlag(args, 'limit'),
  }
  return checkedFlags(ToolCallQuery, typed, { keyId: 'key', group: 'outcome' })
}

export const toolCallCommands: readonly CliCommand[] = [toolCalls]
