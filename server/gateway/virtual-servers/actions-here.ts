import { isDeepStrictEqual } from 'node:util'

import { type CallToolResult, isInputRequiredResult } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'

import { fieldsOf } from '../../../shared/fields.ts'
import { NextAction } from '../../../shared/gateway.ts'
import type { VirtualServerSpec } from '../../../shared/virtual-servers.ts'
import type { ExposedTool, ToolSetSnapshot } from '../../virtual-servers/virtual-servers.ts'
import { listingText } from '../listing-text.ts'
import { type ToolResult, callToolResultOf } from '../tool-result.ts'

/** A next action as a client of one virtual server follows it. */
type ActionHere = Omit<NextAction, 'tool'> & { readonly tool: string }

const metaKey = 'gatehouse/next_actions'
const NextActionList = z.array(NextAction)

/**
 * Rewrites a result of one of the five tools for the clients of a virtual server: its next actions name the tools as these
 * clients have them, and those that they cannot follow are left out. `member` is preferred where several members are the
 * gateway. The content of a tool server's result stays as it is.
 */
export function withActionsHere(
  result: ToolResult,
  { mode, members }: VirtualServerSpec,
  { tools }: ToolSetSnapshot,
  member: number,
): ToolResult {
  const own = tools
    .filter((tool) => members[tool.member]?.gateway === true)
    .toSorted((one, other) => Number(other.member === member) - Number(one.member === member))
  const actionsHere = (named: unknown): readonly ActionHere[] | null => {
    const read = NextActionList.safeParse(named)
    if (!read.success) return null
    const here = read.data.flatMap((action) => own.flatMap((tool) => actionBy(tool, action)).slice(0, 1))
    return mode === 'searchable' ? here.map(calledByName) : here
  }

  const told = callToolResultOf(result)
  if (isInputRequiredResult(told)) return result
  const inMeta = actionsHere(told._meta?.[metaKey])
  const rewritten = inMeta === null ? told : { ...told, _meta: { ...told._meta, [metaKey]: inMeta } }
  return { kind: 'passed_on', result: withFieldHere(rewritten, actionsHere) }
}

/** Rewrites the field `next_actions` of an answer of ours, and its text; what is a tool server's is not ours to change. */
function withFieldHere(
  result: CallToolResult,
  actionsHere: (named: unknown) => readonly ActionHere[] | null,
): CallToolResult {
  if (result._meta?.['gatehouse/untrusted'] === true) return result
  const fields = fieldsOf(result.structuredContent)
  const actions = actionsHere(fields.next_actions)
  if (actions === null) return result
  const value = { ...fields, next_actions: actions }
  const [first] = result.content
  const isJson = first?.type === 'text' && first.text.startsWith('{')
  const text = isJson ? JSON.stringify(value) : listingText(value)
  return { ...result, content: [{ type: 'text', text }], structuredContent: value }
}

/** Returns an action as a call of that tool: none where it is another tool, or where its fixed arguments say otherwise. */
function actionBy({ tool, fixed, definition }: ExposedTool, action: NextAction): ActionHere[] {
  if (tool !== action.tool) return []
  const { operation, arguments: args = {}, reason } = action
  const given = Object.entries(operation === undefined ? args : { operation, arguments: args })
  if (given.some(([field, value]) => field in fixed && !isDeepStrictEqual(value, fixed[field]))) return []
  const { name } = definition
  // `operation` stands beside the arguments of an action as `execute` takes it beside its own.
  if (operation !== undefined && !('operation' in fixed)) return [{ ...action, tool: name }]
  const left = given.filter(([field]) => !(field in fixed))
  return [{ tool: name, arguments: Object.fromEntries(left), reason }]
}

/** Where tools are searched, clients call each by `call_tool`. */
const calledByName = ({ tool, operation, arguments: args = {}, reason }: ActionHere): ActionHere => ({
  tool: 'call_tool',
  arguments: { name: tool, arguments: operation === undefined ? args : { operation, arguments: args } },
  reason,
})
