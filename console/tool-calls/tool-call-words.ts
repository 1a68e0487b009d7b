import { noKey, toolCallOutcomes } from '../../shared/tool-calls.ts'
import type { ShownToolCall, ToolCallEntry, ToolCallGroup, ToolCallOutcome } from '../../shared/tool-calls.ts'

export const toolCallGroupWords: Readonly<Record<ToolCallGroup, string>> = {
  answered: 'Answered',
  tool_error: 'Error of the tool',
  failed: 'Failed',
  denied: 'Denied',
}

export const toolCallTones = { answered: 'ok', tool_error: 'warn', failed: 'bad', denied: 'warn' } as const

/** An outcome in a word or two, as a row has it. */
export const outcomeWords: Readonly<Record<ToolCallOutcome, string>> = {
  ok: 'result',
  input_required: 'question back',
  tool_error: 'error of the tool',
  refused: 'refused by the server',
  denied: 'denied',
  unanswered: 'no answer',
  failed: 'internal error',
  service_gone: 'not listed any more',
  origin_changed: 'address changed',
  auth_required: 'credentials needed',
  consent_needed: 'consent needed',
  unreachable: 'unreachable',
  timed_out: 'no answer in time',
  too_large: 'answer too large',
  protocol_error: 'no MCP',
  busy: 'too busy',
  cancelled: 'cancelled',
}

/** An outcome in a sentence. */
export const outcomeSentences: Readonly<Record<ToolCallOutcome, string>> = {
  ok: 'The tool server answered with a result.',
  input_required: 'The tool asked the caller for something first.',
  tool_error: 'The tool answered that it failed.',
  refused: 'The tool server refused the call, for instance because it has no such tool.',
  denied: 'A rule forbids the call. Nothing was sent.',
  unanswered: 'The answer ended before it was complete.',
  failed: 'The call failed in the gateway; the log of the server says why.',
  service_gone: 'The registry does not list the tool server any more.',
  origin_changed: 'The registry names another address than the one the secret was saved for.',
  auth_required: 'The tool server wants credentials, or others than it was sent.',
  consent_needed: 'The owner of the connection has to agree at the tool server’s own page.',
  unreachable: 'The tool server could not be reached.',
  timed_out: 'The tool server did not answer in time.',
  too_large: 'The answer is larger than allowed.',
  protocol_error: 'The answer is no MCP.',
  busy: 'Too many calls were under way, or the tool server failed too often.',
  cancelled: 'The call was given up, or its session or access ended.',
}

/** What to call the key or the agent of a call. */
export const callerText = ({ keyId, keyName }: ShownToolCall): string =>
  keyName ?? (keyId === noKey ? 'no key' : keyId)

export const groupOfCall = ({ outcome }: Pick<ToolCallEntry, 'outcome'>): ToolCallGroup =>
  toolCallOutcomes[outcome]

const doors: Readonly<Record<string, string>> = {
  execute: 'the tool execute',
  pass_through: 'the address of the connection',
  virtual_server: 'a virtual server',
}
export const doorWords = (door: string): string => doors[door] ?? door

/** JSON with line breaks, as far as it was not cut off. */
export function readableJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
