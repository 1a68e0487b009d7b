import type { Tool } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'

import { GatewayRefusal } from '../../../shared/gateway.ts'

type ObjectSchema = Tool['inputSchema']

/** The JSON Schema of what a tool takes. */
export const inputSchemaOf = (schema: z.ZodMiniType): ObjectSchema => jsonSchemaOf(schema, 'input')

/**
 * The JSON Schema of what a tool returns: its answer, or a refusal. Clients of the first SDK check refusals against it,
 * too, so it has to allow for both.
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
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => plain(jsonSchema),
  })
  return { ...rest, type: 'object' } as ObjectSchema
}

/** `true` says the same as `{}`, and strict readers do not warn of it. */
function plain(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { additionalProperties: rest } = jsonSchema
  if (typeof rest === 'object' && Object.keys(rest).length === 0) jsonSchema.additionalProperties = true
}
