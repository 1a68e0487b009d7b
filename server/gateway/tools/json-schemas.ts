import type { Tool } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'

import { GatewayRefusal } from '../../../shared/gateway.ts'

type ObjectSchema = Tool['inputSchema']

/** Returns the JSON Schema of a tool's input. */
export const inputSchemaOf = (schema: z.ZodMiniType): ObjectSchema => jsonSchemaOf(schema, 'input')

/**
 * Returns the JSON Schema of a tool's output: its answer, or a refusal. Clients built with the first SDK
 * validate refusals too, so the schema allows both.
 */
export function outputSchemaOf(schema: z.ZodMiniType): ObjectSchema {
  const answered = jsonSchemaOf(schema, 'output')
  const refused = jsonSchemaOf(GatewayRefusal, 'output')
  return {
    type: 'object',
    properties: { ...refused.properties, ...answered.properties },
    anyOf: [{ required: answered.required ?? [] }, { required: refused.required ?? [] }],
    additionalProperties: true,
    ...(answered.$defs !== undefined && { $defs: answered.$defs }),
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
    Object.entries(node).map(([key, value]) => [key, key === 'enum' ? value : plain(value)]),
  )
  const types = Array.isArray(type)
    ? { anyOf: type.map((one) => ({ type: one })) }
    : type === undefined
      ? {}
      : { type }
  if (additionalProperties === undefined) return { ...types, ...rest }
  const isAnything =
    typeof additionalProperties === 'object' && Object.keys(additionalProperties).length === 0
  return { ...types, ...rest, additionalProperties: isAnything ? true : additionalProperties }
}
