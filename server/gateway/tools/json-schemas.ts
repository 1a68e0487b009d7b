import type { Tool } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'

type ObjectSchema = Tool['inputSchema']

/** Returns the JSON Schema of a tool's input; `shorter` replaces fields whose own schema takes too many tokens. */
export function inputSchemaOf(
  schema: z.ZodMiniType,
  shorter: NonNullable<ObjectSchema['properties']> = {},
): ObjectSchema {
  const input = jsonSchemaOf(schema, 'input')
  return { ...input, properties: { ...input.properties, ...shorter } }
}

/**
 * Returns the JSON Schema of a tool's output: its answer, or a refusal. Clients built with the first SDK validate
 * refusals too, so the schema allows both. What all tools have in common is said once, in the instructions of the
 * server: every model reads these schemas before its first call.
 */
export function outputSchemaOf(schema: z.ZodMiniType): ObjectSchema {
  const { properties, required = [], $defs } = jsonSchemaOf(schema, 'output')
  const fields = required.filter((name) => name !== 'next_actions')
  return {
    type: 'object',
    properties: { ...properties, next_actions: { type: 'array' } },
    anyOf: [{ required: fields }, { required: ['error'] }],
    ...($defs !== undefined && { $defs }),
  }
}

function jsonSchemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io })
  return { ...(plain(rest) as object), type: 'object' }
}

/** Simplifies a schema for clients that support only part of JSON Schema. */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain)
  if (typeof node !== 'object' || node === null) return node
  const { type, additionalProperties, ...rest } = Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isImplied(key, value))
      .map(([key, value]) => [key, key === 'enum' ? value : plain(value)]),
  )
  const types = Array.isArray(type)
    ? { anyOf: type.map((one) => ({ type: one })) }
    : type === undefined
      ? {}
      : { type }
  if (additionalProperties === undefined || additionalProperties === false) return { ...types, ...rest }
  const isAnything =
    typeof additionalProperties === 'object' && Object.keys(additionalProperties).length === 0
  return { ...types, ...rest, additionalProperties: isAnything ? true : additionalProperties }
}

/** Returns true for what no model needs to begin with: bounds of exact integers and of texts, their patterns, and that names are texts. */
const isImplied = (key: string, value: unknown): boolean =>
  (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (key === 'maxLength' && typeof value === 'number') ||
  (key === 'pattern' && typeof value === 'string') ||
  (key === 'propertyNames' && typeof value === 'object')
