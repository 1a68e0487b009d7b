import type { GatewayErrorCode } from '../../../shared/gateway.ts'
import { listingText } from '../listing-text.ts'
import type { ToolResult } from '../tool-result.ts'

type Fields = Readonly<Record<string, unknown>>

/** Returns an answer of a virtual server itself. It names no next actions, which are those of the five tools. */
export const plainAnswer = (value: Fields): ToolResult => ({
  kind: 'passed_on',
  result: { content: [{ type: 'text', text: listingText(value) }], structuredContent: value },
})

/**
 * Returns a refusal that a model can read, and a program too, in its metadata. It has no `structuredContent`, because clients
 * hold that to the output schema of the tool that was called, whether the result is an error or not.
 */
export function plainRefusal(code: GatewayErrorCode, message: string, known: Fields = {}): ToolResult {
  const refusal = { error: { code, message }, ...known }
  const content = [{ type: 'text' as const, text: JSON.stringify(refusal) }]
  return { kind: 'passed_on', result: { content, isError: true, _meta: { 'gatehouse/refusal': refusal } } }
}

/** Takes the next actions from a refusal: they are calls of the five tools, which most virtual servers do not have. */
export function inPlainWords(result: ToolResult, more: Fields = {}): ToolResult {
  return result.kind === 'refused'
    ? plainRefusal(result.code, result.message, { ...result.known, ...more })
    : result
}
