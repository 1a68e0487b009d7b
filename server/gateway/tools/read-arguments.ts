import type * as z from 'zod/mini'

import type { NextAction } from '../../../shared/gateway.ts'
import { describeIssues } from '../../platform/validation-text.ts'
import { type ToolRefusal, toolRefusal } from '../tool-result.ts'

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
