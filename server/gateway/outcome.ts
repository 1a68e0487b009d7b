import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'

import type { GatewayErrorCode, NextAction } from '../../shared/gateway.ts'

/** What a tool has to say. */
export type Outcome =
  | { readonly kind: 'answer'; readonly value: Readonly<Record<string, unknown>> }
  | Refused
  /** The result of somebody else's tool. */
  | { readonly kind: 'passed_on'; readonly result: CallToolResult | InputRequiredResult }

export interface Refused {
  readonly kind: 'refused'
  readonly code: GatewayErrorCode
  /** What is wrong and what is allowed. Never repeats what may be a secret. */
  readonly message: string
  readonly nextActions: readonly NextAction[]
  /** What is known in spite of it. */
  readonly known: Readonly<Record<string, unknown>>
}

export const answer = (value: Readonly<Record<string, unknown>>): Outcome => ({ kind: 'answer', value })

export const refuse = (
  code: GatewayErrorCode,
  message: string,
  nextActions: readonly NextAction[] = [],
  known: Readonly<Record<string, unknown>> = {},
): Refused => ({ kind: 'refused', code, message, nextActions, known })

/** The same JSON as text, for clients that do not know structured content. */
export function resultOf(outcome: Outcome): CallToolResult | InputRequiredResult {
  switch (outcome.kind) {
    case 'answer':
      return resultWith(outcome.value)
    case 'refused':
      return { ...resultWith(valueOf(outcome)), isError: true }
    case 'passed_on':
      return outcome.result
  }
}

/** What a refusal says, as `GatewayRefusal` has it. */
export const valueOf = ({
  code,
  message,
  nextActions,
  known,
}: Refused): Readonly<Record<string, unknown>> => ({
  error: { code, message },
  next_actions: nextActions,
  ...known,
})

/** The same JSON twice: for clients that know structured content, and for those that do not. */
const resultWith = (value: Readonly<Record<string, unknown>>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
})
