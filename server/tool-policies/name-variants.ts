import { type Fields, fieldsOf, isFields } from '../../shared/fields.ts'
import { folded } from './pattern.ts'

/** The keywords whose schemas are for the same value. */
const ofSameValue = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']

/** The names of members that a schema mentions for one value. */
interface MentionedNames {
  readonly asWritten: ReadonlySet<string>
  readonly folded: ReadonlySet<string>
}

/**
 * Returns what says whether arguments have a member with the name of one that the schema mentions for that place, but for
 * its case: tool servers in Go read it as that one. Names that the schema mentions there itself are meant as they stand, and
 * so are names that it does not mention there, for arguments may hold data of the caller. `spend` is told of the schemas that
 * are looked at for each value, at most the product of the schema and the arguments, and may throw.
 */
export function createHasVariant(
  schema: Fields,
  spend: (schemas: number) => void,
): (args: Fields) => boolean {
  const known = new Map<Fields, MentionedNames>()

  function mentionedBy(one: Fields): MentionedNames {
    const names = known.get(one) ?? mentionedNames(one)
    known.set(one, names)
    return names
  }

  function hasVariant(schemas: readonly unknown[], value: unknown): boolean {
    const applied = withInner(schemas)
    if (applied.length === 0) return false
    spend(applied.length)
    if (Array.isArray(value))
      return value.some((item, place) => hasVariant(itemSchemas(applied, place), item))
    if (!isFields(value)) return false
    const mentioned = applied.map(mentionedBy)
    return Object.entries(value).some(
      ([name, inner]) => isVariant(mentioned, name) || hasVariant(memberSchemas(applied, name), inner),
    )
  }

  return (args) => hasVariant([schema], args)
}

function isVariant(mentioned: readonly MentionedNames[], name: string): boolean {
  const foldedName = folded(name)
  return (
    mentioned.some((names) => names.folded.has(foldedName)) &&
    !mentioned.some((names) => names.asWritten.has(name))
  )
}

/** Returns the schemas of a list with all those in them that are for the same value. */
const withInner = (schemas: readonly unknown[]): Fields[] =>
  schemas
    .filter(isFields)
    .flatMap((schema) => [
      schema,
      ...withInner([
        ...ofSameValue.flatMap((keyword) => schema[keyword]),
        ...Object.values(fieldsOf(schema.dependentSchemas)),
      ]),
    ])

const itemSchemas = (applied: readonly Fields[], place: number): unknown[] =>
  applied.flatMap(({ prefixItems, items, contains }) => [
    Array.isArray(prefixItems) && place < prefixItems.length ? prefixItems[place] : items,
    contains,
  ])

const memberSchemas = (applied: readonly Fields[], name: string): unknown[] =>
  applied.map(({ properties, additionalProperties }) =>
    isFields(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
  )

function mentionedNames(schema: Fields): MentionedNames {
  const { properties, required, dependentRequired, dependentSchemas, propertyNames } = schema
  const named = [
    required,
    ...[properties, dependentRequired, dependentSchemas].map((members) => Object.keys(fieldsOf(members))),
    ...Object.values(fieldsOf(dependentRequired)),
    ...withInner([propertyNames]).flatMap(({ const: only, enum: several }) => [only, several]),
  ]
  const names = named.flat().filter((name) => typeof name === 'string')
  return { asWritten: new Set(names), folded: new Set(names.map(folded)) }
}
