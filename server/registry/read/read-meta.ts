import * as z from 'zod/mini'

import { filterKinds } from '../../../shared/registry.ts'
import { parseJson } from '../../platform/json.ts'
import type { RegistryCategory, RegistryColumn } from '../snapshot.ts'
import { withoutHidden } from './hidden-text.ts'
import { UnusableSnapshot } from './limits.ts'
import ownCategoryTexts from '../own-snapshot/meta/categories.json' with { type: 'json' }
import ownColumnTexts from '../own-snapshot/meta/columns.json' with { type: 'json' }

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
  return columnsOf(read('meta/columns.json', Columns, text))
}

function columnsOf(columns: z.output<typeof Columns>): Map<string, RegistryColumn> {
  return new Map(
    Object.entries(columns).map(([key, { label, filter }]) => [
      key,
      { key, label: withoutHidden(label ?? key), filter: filter ?? null },
    ]),
  )
}

/** Parses `meta/categories.json`. Throws `UnusableSnapshot` when it is not valid. */
export function readCategories(text: string): Map<string, RegistryCategory> {
  return categoriesOf(read('meta/categories.json', Categories, text))
}

function categoriesOf(categories: z.output<typeof Categories>): Map<string, RegistryCategory> {
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

/** What columns and categories are called in the product's own registry; registries without `meta/` get it. */
export const ownColumns = (): Map<string, RegistryColumn> => columnsOf(Columns.parse(ownColumnTexts))
export const ownCategories = (): Map<string, RegistryCategory> =>
  categoriesOf(Categories.parse(ownCategoryTexts))

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
