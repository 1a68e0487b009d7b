import * as z from 'zod/mini'

import { fault } from '../fault.ts'
import { describeInvalid } from '../validation-text.ts'

/** For the `body` option of a route whose handler calls `readChange`; what it takes is said in `detail.reads`. */
export const AnyFields = z.record(z.string(), z.unknown())

/**
 * Returns what a body changes of a thing; null when nothing. Who reads a thing, edits a field and sends all of it back changes
 * that field alone: a field that equals what is shown is no change, whether it can be changed or not. The field that says
 * which kind of thing it is stays, as the schema needs it.
 *
 * Fault: `invalid_request`, for an empty body and for what the schema of changes refuses.
 */
export function readChange<Change>(
  schema: z.ZodMiniType<Change>,
  body: z.infer<typeof AnyFields>,
  shown: object,
): Change | null {
  // As a caller reads it: without fields that are undefined.
  const item = AnyFields.parse(JSON.parse(JSON.stringify(shown)))
  const isChanged = ([name, value]: readonly [string, unknown]): boolean =>
    !Object.hasOwn(item, name) || !Bun.deepEquals(item[name], value)
  const fields = Object.entries(body)
  if (fields.length > 0 && !fields.some(isChanged)) return null
  const kind = schema instanceof z.ZodMiniDiscriminatedUnion ? schema._zod.def.discriminator : null
  const change = Object.fromEntries(fields.filter((field) => field[0] === kind || isChanged(field)))
  const read = z.safeParse(schema, change)
  if (!read.success) throw fault('invalid_request', describeInvalid(schema, change, 'body'))
  if (fields.length === 0) throw fault('invalid_request', 'body: expected at least one field')
  return read.data
}
