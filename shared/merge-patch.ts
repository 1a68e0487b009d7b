import * as z from 'zod/mini'

/**
 * The schema of a change of an object that is saved as a whole (RFC 7396): what is not named stays, and null takes a field
 * away, or back to its default. No default of a field that is not named is filled in, in contrast to `z.partial`. `fixed` are
 * the names of fields that nobody changes. What the fields must be together is for the schema of the whole to say.
 */
export function mergePatchOf(schema: z.ZodMiniObject, fixed: readonly string[]) {
  const fields = Object.entries(schema.shape).filter(([name]) => !fixed.includes(name))
  return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, patchField(field)])))
}

type FieldSchema = z.ZodMiniObject['shape'][string]

const isDispensable = (field: FieldSchema): field is z.ZodMiniOptional | z.ZodMiniDefault =>
  field instanceof z.ZodMiniOptional || field instanceof z.ZodMiniDefault

const patchField = (field: FieldSchema): z.ZodMiniOptional =>
  isDispensable(field) ? z.optional(z.nullable(bare(field))) : z.optional(field)

const bare = (field: FieldSchema): FieldSchema =>
  isDispensable(field) ? bare(field._zod.def.innerType) : field

/** Returns an object as a merge patch leaves it; the schema of the whole still has to see it. */
export function mergePatched<Item extends object>(
  item: Item,
  patch: Readonly<Record<string, unknown>>,
): Item & Record<string, unknown> {
  const merged: Item & Record<string, unknown> = { ...item, ...patch }
  for (const [name, value] of Object.entries(patch)) if (value === null) delete merged[name]
  return merged
}

/** What a patch of named values sets, without what it takes away. */
export const withoutNulls = <Value>(patch: Readonly<Record<string, Value | null>>): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(patch).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
