import {
  type CallToolResult,
  type Implementation,
  type InputRequiredResult,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server'
import type * as z from 'zod/mini'

import type { GatewayErrorCode, NextAction } from '../../shared/gateway.ts'
import { describeIssues } from '../platform/validation-text.ts'

/** The result of one of the five tools. */
export type ToolResult =
  | { readonly kind: 'answer'; readonly value: Readonly<Record<string, unknown>> }
  | ToolRefusal
  /** The result of a tool server's tool, passed on unchanged. */
  | { readonly kind: 'passed_on'; readonly result: CallToolResult | InputRequiredResult }

export interface ToolRefusal {
  readonly kind: 'refused'
  readonly code: GatewayErrorCode
  /** Says what is wrong and what is allowed. Never repeats the input, which may be a secret. */
  readonly message: string
  readonly nextActions: readonly NextAction[]
  /** Fields that are known although the call was refused. */
  readonly known: Readonly<Record<string, unknown>>
}

export const toolAnswer = (value: Readonly<Record<string, unknown>>): ToolResult => ({
  kind: 'answer',
  value,
})

export const toolRefusal = (
  code: GatewayErrorCode,
  message: string,
  nextActions: readonly NextAction[] = [],
  known: Readonly<Record<string, unknown>> = {},
): ToolRefusal => ({ kind: 'refused', code, message, nextActions, known })

/** Converts a result to the form of the SDK. */
export function callToolResultOf(outcome: ToolResult): CallToolResult | InputRequiredResult {
  switch (outcome.kind) {
    case 'answer':
      return resultWith(outcome.value)
    case 'refused':
      return { ...resultWith(refusalPayload(outcome)), isError: true }
    case 'passed_on':
      return outcome.result
  }
}

/** Returns the fields of a refusal as `GatewayRefusal` describes them. */
const refusalPayload = ({
  code,
  message,
  nextActions,
  known,
}: ToolRefusal): Readonly<Record<string, unknown>> => ({
  error: { code, message },
  next_actions: nextActions,
  ...known,
})

/**
 * Returns the same JSON twice: as structured content, and as text for clients that do not read structured
 * content.
 */
const resultWith = (value: Readonly<Record<string, unknown>>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
})

/** Serialises a result as protocol 2026-07-28 defines it. */
export type WriteResult = (outcome: ToolResult) => string

/** Serialises results without the SDK, whose validation of our own output takes longer than producing it. */
export function createWriteResult(identity: Implementation): WriteResult {
  const signature = { [SERVER_INFO_META_KEY]: identity }
  const ending = `"resultType":"complete","_meta":${JSON.stringify(signature)}}`
  /** Serialised texts of results that are in the search cache. */
  const written = new WeakMap<ToolResult, string>()

  function write(outcome: ToolResult): string {
    switch (outcome.kind) {
      case 'answer':
        return `{${twice(outcome.value)},${ending}`
      case 'refused':
        return `{${twice(refusalPayload(outcome))},"isError":true,${ending}`
      case 'passed_on': {
        const { result } = outcome
        const meta = { ...signature, ...result._meta }
        return JSON.stringify({ ...result, resultType: 'complete', _meta: meta })
      }
    }
  }

  return (outcome) => {
    if (outcome.kind !== 'answer') return write(outcome)
    const known = written.get(outcome)
    if (known !== undefined) return known
    const text = write(outcome)
    written.set(outcome, text)
    return text
  }
}

/** Serialises what `resultWith` returns, with one `JSON.stringify` of the value instead of two. */
function twice(value: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(value)
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}`
}

type ReadArguments<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refused: ToolRefusal }

/** Validates the arguments that a model sent. Errors never repeat them, because they may be secrets. */
export function readToolArguments<Schema extends z.ZodMiniType>(
  schema: Schema,
  given: unknown,
  nextActions: readonly NextAction[] = [],
): ReadArguments<z.infer<Schema>> {
  const read = schema.safeParse(given)
  if (read.success) return { ok: true, value: read.data }
  const text = describeIssues(read.error.issues, given, 'arguments')
  return { ok: false, refused: toolRefusal('invalid_arguments', text, nextActions) }
}
