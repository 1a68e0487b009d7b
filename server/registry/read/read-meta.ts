import * as z from 'zod/mini'

import { filterKinds } from '../../../shared/registry.ts'
import { parseJson } from '../../platform/json.ts'
import type { RegistryCategory, RegistryColumn } from '../snapshot.ts'
import { withoutHidden } from './hidden-text.ts'
import { UnusableSnapshot } from './limits.ts'

const Label = z.string().check(z.maxLength(200))

const Columns = z.record(
  z.string(),
  z.looseObject({
    label: z.optional(Label),
    filter: z.optional(z.nullable(z.enum(filterKinds))),
  }),
)

const Categories = z.record(
  z.string(),
  z.looseObject({
    label: z.optional(Label),
    description: z.optional(z.nullable(z.string().check(z.maxLength(2_000)))),
  }),
)

/**
 * Parses `meta/columns.json`. Throws `UnusableSnapshot` when it is not valid: every filter would silently disappear
 * without it.
 */
export function readColumns(text: string): Map<string, RegistryColumn> {
  const columns = read('meta/columns.json', Columns, text)
  return new Map(
    Object.entries(columns).map(([key, { label, filter }]) => [
      key,
      { key, label: withoutHidden(label ?? key), filter: filter ?? null },
    ]),
  )
}

/** Parses `meta/categories.json`. Throws `UnusableSnapshot` when it is not valid. */
export function readCategories(text: string): Map<string, RegistryCategory> {
  const categories = read('meta/categories.json', Categories, text)
  return new Map(
    Object.entries(categories).map(([key, { label, description }]) => [
      key,
      {
        key,
        label: withoutHidden(label ?? key),
        description: description ? withoutHidden(description) : null,
      },
    ]),
  )
}

function read<Schema extends z.ZodMiniType>(file: string, schema: Schema, text: string): z.output<Schema> {
  const value = parseJson(text)
  if (value === undefined) throw new UnusableSnapshot(`${file}: not valid JSON`)
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UnusableSnapshot(
    `${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as expected'}`,
  )
}
