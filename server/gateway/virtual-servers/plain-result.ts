import type { CallToolResult } from '@modelcontextprotocol/server'

import type { GatewayErrorCode } from '../../../shared/gateway.ts'
import { listingText } from '../listing-text.ts'
import type { ToolResult } from '../tool-result.ts'

type Fields = Readonly<Record<string, unknown>>

/** Returns an answer of a virtual server itself. It names no next actions, which are those of the five tools. */
export const plainAnswer = (value: Fields): ToolResult => passedOn(value, listingText(value))

/** Returns a refusal that a model can read. */
export function plainRefusal(code: GatewayErrorCode, message: string, known: Fields = {}): ToolResult {
  const value = { error: { code, message }, ...known }
  return passedOn(value, JSON.stringify(value), true)
}

/** Takes the next actions from a refusal: they are calls of the five tools, which most virtual servers do not have. */
export function inPlainWords(result: ToolResult, more: Fields = {}): ToolResult {
  return result.kind === 'refused'
    ? plainRefusal(result.code, result.message, { ...result.known, ...more })
    : result
}

const passedOn = (value: Fields, text: string, isError = false): ToolResult => {
  const result: CallToolResult = { content: [{ type: 'text', text }], structuredContent: value }
  return { kind: 'passed_on', result: isError ? { ...result, isError } : result }
}
