import type * as z from 'zod/mini'

import type { NextAction } from '../../../shared/gateway.ts'
import { describeIssues } from '../../platform/validation-text.ts'
import { type Refused, refuse } from '../outcome.ts'

type ReadArguments<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refused: Refused }

/** Checks what a model sent. What it sent is not repeated: it may be a secret. */
export function readArguments<Schema extends z.ZodMiniType>(
  schema: Schema,
  given: unknown,
  nextActions: readonly NextAction[] = [],
): ReadArguments<z.infer<Schema>> {
  const read = schema.safeParse(given)
  if (read.success) return { ok: true, value: read.data }
  const text = describeIssues(read.error.issues, given, 'arguments')
  return { ok: false, refused: refuse('invalid_arguments', text, nextActions) }
}
