import { fieldsOf } from '../../shared/fields.ts'
import { foldedName } from '../platform/folded-name.ts'
import type { ExposedTool } from './expose-tools.ts'

/**
 * Returns the arguments of a call: those that are fixed, and of the given ones those that are not under their names. Names
 * in another case count as the same, because tool servers in Go read `Repo` as `repo`, unless the definition has them too.
 */
export function withFixedArguments(
  { fixed, definition }: Pick<ExposedTool, 'fixed' | 'definition'>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = new Set(Object.keys(fixed).map(foldedName))
  const asked = fieldsOf(fieldsOf(definition.inputSchema).properties)
  const left = Object.entries(given).filter(
    ([name]) => Object.hasOwn(asked, name) || !names.has(foldedName(name)),
  )
  return { ...Object.fromEntries(left), ...fixed }
}
