import { isFields } from '../../shared/fields.ts'
import type { Random } from './random.ts'

/** A JSON Schema, of any dialect that the product writes. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What plausible texts are taken from. No address in it leads anywhere but to this machine. */
const plausible = [
  'CI',
  'ethereum',
  'apis',
  'mcpservers:nothing-there',
  'testnet',
  'node-a',
  'http',
  'freeRPC',
  'eth_call',
  '192.0.2.1',
  '10.0.0.0/8',
  'example.com',
  'http://127.0.0.1:1/',
  'ws://127.0.0.1:1/',
  'someone@example.com',
  '0x00000000000000000000000000000000000000aa',
  `0x${'00'.repeat(65)}`,
  '2026-01-31T12:00:00Z',
  '1767312000',
  '0123456789abcdef',
  '0'.repeat(64),
  'AAAA',
  '/keys',
  'day',
] as const

/** Makes values that a schema allows, more or less; ids that answers named are used again. */
export interface SchemaValues {
  of(schema: unknown): unknown
}

export function createSchemaValues(
  random: Random,
  root: JsonSchema,
  knownIds: () => readonly string[],
): SchemaValues {
  const text = (schema: JsonSchema): string => {
    const given = schema.example ?? (Array.isArray(schema.examples) ? schema.examples[0] : undefined)
    if (typeof given === 'string' && random.chance(0.5)) return given
    const ids = knownIds()
    return ids.length > 0 && random.chance(0.4) ? random.pick(ids) : random.pick(plausible)
  }

  const whole = ({ minimum = 0, maximum }: JsonSchema): number => {
    const from = Number(minimum)
    const to = maximum === undefined ? from + 1_000 : Number(maximum)
    return random.chance(0.3) ? random.pick([from, to]) : from + random.below(Math.min(1_000, to - from + 1))
  }

  function list(schema: JsonSchema, depth: number): unknown[] {
    if (Array.isArray(schema.prefixItems)) return schema.prefixItems.map((item) => of(item, depth + 1))
    const least = typeof schema.minItems === 'number' ? schema.minItems : 0
    return Array.from({ length: least + random.below(3) }, () => of(schema.items, depth + 1))
  }

  function object(schema: JsonSchema, depth: number): object {
    const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
    const named = isFields(schema.properties) ? Object.entries(schema.properties) : []
    const chosen = named.filter(([name]) => required.includes(name) || random.chance(0.5))
    const entries = chosen.map(([name, property]) => [name, of(property, depth + 1)])
    if (isFields(schema.additionalProperties) && random.chance(0.7)) {
      entries.push([random.pick(plausible), of(schema.additionalProperties, depth + 1)])
    }
    return Object.fromEntries(entries)
  }

  function of(schema: unknown, depth = 0): unknown {
    if (!isFields(schema) || depth > 12) return random.pick([...plausible, 1, null, {}])
    if (typeof schema.$ref === 'string') return of(referred(root, schema.$ref), depth + 1)
    if ('const' in schema) return schema.const
    if (Array.isArray(schema.enum)) return random.pick(schema.enum)
    if (schema.nullable === true && random.chance(0.2)) return null
    const choices = schema.anyOf ?? schema.oneOf
    if (Array.isArray(choices)) return of(random.pick(choices), depth + 1)
    if (Array.isArray(schema.allOf)) {
      return Object.assign({}, ...schema.allOf.map((part) => of(part, depth + 1)))
    }
    switch (schema.type) {
      case 'string':
        return text(schema)
      case 'integer':
      case 'number':
        return whole(schema)
      case 'boolean':
        return random.chance(0.5)
      case 'null':
        return null
      case 'array':
        return list(schema, depth)
      case 'object':
        return object(schema, depth)
      default:
        return random.pick([...plausible, 1, null, {}])
    }
  }

  return { of: (schema) => of(schema) }
}

/** What `#/components/schemas/Name` or `#/$defs/Name` points at. */
function referred(root: JsonSchema, reference: string): unknown {
  let found: unknown = root
  for (const step of reference.replace(/^#\/?/, '').split('/'))
    found = isFields(found) ? found[step] : undefined
  return found
}

/** The schema with every reference written out. The product's schemas do not refer to themselves. */
export function withoutReferences(schema: unknown, root: JsonSchema): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutReferences(item, root))
  if (!isFields(schema)) return schema
  if (typeof schema.$ref === 'string') return withoutReferences(referred(root, schema.$ref), root)
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withoutReferences(value, root)]),
  )
}
