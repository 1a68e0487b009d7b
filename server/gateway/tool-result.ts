import {
  type CallToolResult,
  type Implementation,
  type InputRequiredResult,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server'
import type * as z from 'zod/mini'

import { isFields } from '../../shared/fields.ts'
import type { GatewayErrorCode } from '../../shared/gateway.ts'
import { describeIssues } from '../platform/validation-text.ts'
import { listingText } from './listing-text.ts'
import type { NextActions } from './next-actions.ts'

/** The result of one of the five tools. */
export type ToolResult =
  | ToolAnswer
  | ToolRefusal
  /** The result of a tool server's tool, passed on unchanged. */
  | { readonly kind: 'passed_on'; readonly result: CallToolResult | InputRequiredResult }

/** The fields of an answer. Each names what can be done next. */
type AnswerFields = Readonly<Record<string, unknown>> & { readonly next_actions: NextActions }

export interface ToolAnswer {
  readonly kind: 'answer'
  readonly value: AnswerFields
  /** Listings are written as a text that is shorter than their JSON; any other answer is written as JSON. */
  readonly isListing: boolean
}

export interface ToolRefusal {
  readonly kind: 'refused'
  readonly code: GatewayErrorCode
  /** Says what is wrong and what is allowed. Never repeats the input, which may be a secret. */
  readonly message: string
  readonly nextActions: NextActions
  /** Fields that are known although the call was refused. */
  readonly known: Readonly<Record<string, unknown>>
  /** What clients are told, and models are not. */
  readonly meta?: Readonly<Record<string, unknown>>
}

export const toolAnswer = (value: AnswerFields): ToolAnswer => ({ kind: 'answer', value, isListing: false })

export const toolListing = (value: AnswerFields): ToolAnswer => ({ kind: 'answer', value, isListing: true })

export const toolRefusal = (
  code: GatewayErrorCode,
  message: string,
  nextActions: NextActions,
  known: Readonly<Record<string, unknown>> = {},
): ToolRefusal => ({ kind: 'refused', code, message, nextActions, known })

/** Converts a result to the form of the SDK. */
export function callToolResultOf(outcome: ToolResult): CallToolResult | InputRequiredResult {
  switch (outcome.kind) {
    case 'answer':
      return resultWith(outcome.value, textOf(outcome))
    case 'refused': {
      const payload = refusalPayload(outcome)
      const { meta } = outcome
      return { ...resultWith(payload, JSON.stringify(payload)), isError: true, ...(meta && { _meta: meta }) }
    }
    case 'passed_on':
      return outcome.result
  }
}

/** Returns the fields of a refusal: `structuredContent` of every result of ours with `isError`. */
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

/** Returns a value twice: as structured content, and as text for clients that do not read structured content. */
const resultWith = (value: Readonly<Record<string, unknown>>, text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: value,
})

const textOf = ({ value, isListing }: ToolAnswer): string =>
  isListing ? listingText(value) : JSON.stringify(value)

/** Serialises a result as protocol 2026-07-28 defines it. */
export type WriteResult = (outcome: ToolResult) => string

/** Serialises results without the SDK, whose validation of our own output takes longer than producing it. */
export function createWriteResult(identity: Implementation): WriteResult {
  const signature = { [SERVER_INFO_META_KEY]: identity }
  const endingWith = (meta?: Readonly<Record<string, unknown>>): string =>
    `"resultType":"complete","_meta":${JSON.stringify({ ...signature, ...meta })}}`
  const ending = endingWith()
  /** Serialised texts of results that are in the search cache. */
  const written = new WeakMap<ToolResult, string>()

  function write(outcome: ToolResult): string {
    switch (outcome.kind) {
      case 'answer':
        return `{${twice(outcome.value, outcome.isListing ? listingText(outcome.value) : null)},${ending}`
      case 'refused':
        return `{${twice(refusalPayload(outcome), null)},"isError":true,${endingWith(outcome.meta)}`
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

/** Serialises what `resultWith` returns, with one `JSON.stringify` of the value where its JSON is the text. */
function twice(value: Readonly<Record<string, unknown>>, listing: string | null): string {
  const json = JSON.stringify(value)
  return `"content":[{"type":"text","text":${JSON.stringify(listing ?? json)}}],"structuredContent":${json}`
}

type ReadArguments<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refused: ToolRefusal }

/** The fields that most arguments consist of. A schema has to take every short plain word and every object in them. */
export interface PlainFields {
  readonly words: readonly string[]
  readonly objects: readonly string[]
  /** One of the words. */
  readonly needed?: string
}

const plainWord = /^[\x21-\x7e]{1,200}$/

/** Recognises arguments of nothing but such fields, which need no validation. */
export function arePlain(given: unknown, { words, objects, needed }: PlainFields): boolean {
  if (!isFields(given) || (needed !== undefined && !Object.hasOwn(given, needed))) return false
  for (const name in given) {
    const value = given[name]
    const isPlain =
      typeof value === 'string'
        ? words.includes(name) && plainWord.test(value)
        : isFields(value) && objects.includes(name)
    if (!isPlain) return false
  }
  return true
}

/** Validates the arguments that a model sent. Errors never repeat them, because they may be secrets. */
export function readToolArguments<Schema extends z.ZodMiniType>(
  schema: Schema,
  given: unknown,
  nextActions: NextActions | ((refused: readonly (readonly PropertyKey[])[]) => NextActions),
  plain?: PlainFields,
): ReadArguments<z.infer<Schema>> {
  if (plain !== undefined && arePlain(given, plain)) return { ok: true, value: given as z.infer<Schema> }
  const read = schema.safeParse(given)
  if (read.success) return { ok: true, value: read.data }
  const text = describeIssues(read.error.issues, given, 'arguments')
  const { issues } = read.error
  const next = typeof nextActions === 'function' ? nextActions(issues.map(({ path }) => path)) : nextActions
  return { ok: false, refused: toolRefusal('invalid_arguments', text, next) }
}
