import * as z from 'zod/mini'

import { fieldsOf } from '../../shared/fields.ts'

export type JsonObject = Record<string, unknown>

/** `input`: what a caller may send; `output`: what a caller gets (defaults filled in). */
type Side = 'input' | 'output'

export interface SchemaUse {
  /** A JSON schema, in which schemas that have an `id` are references to components. */
  (schema: z.ZodMiniType, side: Side): JsonObject
  /** The same, but the outermost schema is always written out. */
  inline(schema: z.ZodMiniType, side: Side): JsonObject
}

interface SchemaCollector {
  use: SchemaUse
  /** Filled by `resolve`. */
  components: JsonObject
  /** Gives every component its final name and the document its references. */
  resolve(document: JsonObject): JsonObject
}

/**
 * Turns zod schemas into OpenAPI components. A schema with defaults looks different to who sends it and who gets it;
 * then there are two components, `Name` and `NameInput`.
 */
export function createSchemaCollector(): SchemaCollector {
  const definitions: Record<Side, Map<string, JsonObject>> = { input: new Map(), output: new Map() }
  const components: JsonObject = {}

  const convert = (schema: z.ZodMiniType, side: Side) => {
    const {
      definitions: named,
      $schema: _dialect,
      ...json
    }: JsonObject = z.toJSONSchema(schema, {
      target: 'openapi-3.0',
      io: side,
      unrepresentable: 'any',
      override: adapt,
    })
    for (const [id, definition] of Object.entries(fieldsOf(named))) {
      keep(definitions[side], id, fieldsOf(tidy(definition, side)))
    }
    return fieldsOf(tidy(json, side))
  }
  const use: SchemaUse = Object.assign(convert, {
    inline(schema: z.ZodMiniType, side: Side) {
      const json = convert(schema, side)
      const id = typeof json.$ref === 'string' ? json.$ref.split('/').at(-1) : undefined
      return (id === undefined ? undefined : definitions[side].get(id)) ?? json
    },
  })

  return {
    use,
    components,
    resolve(document) {
      const twoSided = namesThatDiffer(definitions.input, definitions.output)
      for (const side of ['input', 'output'] as const) {
        for (const [id, definition] of definitions[side]) {
          components[finalName(id, side, twoSided)] = renameReferences(definition, twoSided)
        }
      }
      return fieldsOf(renameReferences(document, twoSided))
    },
  }
}

/**
 * Zod leaves out the examples of inputs that a transform reads; ours are as they are sent. And its keyword for base64 is one
 * of later versions: OpenAPI 3.0 has a format.
 */
function adapt({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonObject }): void {
  const examples = z.globalRegistry.get(zodSchema)?.examples
  if (examples !== undefined) jsonSchema.examples = examples
  if (jsonSchema.contentEncoding === 'base64') {
    delete jsonSchema.contentEncoding
    jsonSchema.format = 'byte'
  }
}

/** A schema that extends a named one takes its name along: what is meant must not depend on which comes last. */
function keep(named: Map<string, JsonObject>, id: string, definition: JsonObject): void {
  const known = named.get(id)
  if (known !== undefined && !Bun.deepEquals(known, definition)) {
    throw new TypeError(`two schemas are called ${id}: extend one without a name`)
  }
  named.set(id, definition)
}

const finalName = (id: string, side: Side, twoSided: ReadonlySet<string>) =>
  side === 'input' && twoSided.has(id) ? `${id}Input` : id

/** A component differs as well when one that it refers to does. */
function namesThatDiffer(input: Map<string, JsonObject>, output: Map<string, JsonObject>): Set<string> {
  const differing = new Set<string>()
  let sizeBefore = -1
  while (sizeBefore !== differing.size) {
    sizeBefore = differing.size
    for (const [id, definition] of input) {
      const other = output.get(id)
      if (other === undefined) continue
      const asSent = JSON.stringify(renameReferences(definition, differing))
      const asGot = JSON.stringify(renameReferences(other, differing))
      if (asSent !== asGot) differing.add(id)
    }
  }
  return differing
}

/** References carry their side until the final names are known. */
const sidedReference = /^#side\/(input|output)\/(.+)$/

function renameReferences(value: unknown, twoSided: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, twoSided))
  if (typeof value !== 'object' || value === null) return value
  const renamed: JsonObject = {}
  for (const [key, entry] of Object.entries(value)) {
    const match = key === '$ref' && typeof entry === 'string' ? sidedReference.exec(entry) : null
    renamed[key] =
      match === null
        ? renameReferences(entry, twoSided)
        : `#/components/schemas/${finalName(match[2] ?? '', match[1] === 'input' ? 'input' : 'output', twoSided)}`
  }
  return renamed
}

/** From zod's dialect to what OpenAPI 3.0.3 knows. */
function tidy(value: unknown, side: Side): unknown {
  if (Array.isArray(value)) return value.map((item) => tidy(item, side))
  if (typeof value !== 'object' || value === null) return value
  const tidied: JsonObject = {}
  for (const [key, entry] of Object.entries(value)) {
    if (key === 'properties') {
      // Names in here are the caller's, not keywords.
      tidied[key] = Object.fromEntries(
        Object.entries(fieldsOf(entry)).map(([name, property]) => [name, tidy(property, side)]),
      )
    } else if (key === '$ref' && typeof entry === 'string') {
      tidied[key] = `#side/${side}/${entry.split('/').at(-1)}`
    } else if (key === 'examples') {
      if (Array.isArray(entry)) tidied.example = entry[0]
    } else if (!isNoise(key, entry, side)) {
      tidied[key] = key === 'default' || key === 'enum' ? entry : tidy(entry, side)
    }
  }
  return tidied.nullable === true ? takingNull(tidied) : tidied
}

/** Null by itself, as zod writes it for OpenAPI 3.0. */
const onlyNull = { type: 'string', nullable: true, enum: [null] }

/** OpenAPI 3.0.3 lets `nullable` work only beside a `type`, and not beside an `enum` that does not list null. */
function takingNull(schema: JsonObject): JsonObject {
  if ('type' in schema) {
    const { enum: values } = schema
    return Array.isArray(values) && !values.includes(null) ? { ...schema, enum: [...values, null] } : schema
  }
  const { nullable: _, anyOf, oneOf, allOf, $ref, ...rest } = schema
  if (Array.isArray(anyOf)) return { ...rest, anyOf: [...anyOf, onlyNull] }
  if (Array.isArray(oneOf)) return { ...rest, anyOf: [{ oneOf }, onlyNull] }
  if (Array.isArray(allOf))
    return { ...rest, anyOf: [...(allOf.length === 1 ? allOf : [{ allOf }]), onlyNull] }
  return $ref === undefined ? rest : { ...rest, anyOf: [{ $ref }, onlyNull] }
}

/** Bounds that only say "safe integer"; and closed answers, which would forbid us to add a field later. */
function isNoise(key: string, entry: unknown, side: Side): boolean {
  if (key === 'maximum') return entry === Number.MAX_SAFE_INTEGER
  if (key === 'minimum') return entry === Number.MIN_SAFE_INTEGER
  return key === 'id' || (key === 'additionalProperties' && entry === false && side === 'output')
}
