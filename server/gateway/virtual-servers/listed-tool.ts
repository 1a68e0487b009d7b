import { type Tool, isSpecType } from '@modelcontextprotocol/server'

import { type Fields, definedOf, fieldsOf, isFields } from '../../../shared/fields.ts'
import type { ExposedTool } from '../../virtual-servers/virtual-servers.ts'

type Definition = ExposedTool['definition']

/** Checking a definition takes as long as a short call, and clients list often. */
const known = new WeakMap<Definition, Tool>()

/**
 * Returns a definition in the form that every SDK reads: one member of another type than the protocol has for it, as a null
 * for "nothing", and clients refuse the whole list, with the tools of all members. Such a member is left out.
 */
export function listedTool(definition: Definition): Tool {
  const listed = known.get(definition) ?? readable(definition)
  known.set(definition, listed)
  return listed
}

function readable(definition: Definition): Tool {
  const { name, inputSchema, outputSchema, annotations } = definition
  const needed = { name, inputSchema: { ...readableSchema(fieldsOf(inputSchema)), type: 'object' as const } }
  const listed: Fields = {
    ...definition,
    ...needed,
    ...(isFields(outputSchema) && { outputSchema: readableSchema(outputSchema) }),
  }
  if (isSpecType.Tool(listed)) return listed
  const whole = isFields(annotations)
    ? { ...listed, annotations: fitting(annotations, isSpecType.ToolAnnotations) }
    : listed
  return { ...fitting(whole, (member) => isSpecType.Tool({ ...needed, ...member })), ...needed }
}

/** Returns the members that fit by themselves. */
const fitting = (fields: Fields, fits: (member: Fields) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => fits({ [name]: value })))

/** Returns a schema as the older SDK reads it, which takes a list of names, and properties that are no booleans. */
const readableSchema = ({ $schema, properties, required, ...rest }: Fields): Fields => ({
  ...rest,
  ...definedOf({
    $schema: typeof $schema === 'string' ? $schema : undefined,
    properties: isFields(properties) ? mapped(properties) : undefined,
    required: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : undefined,
  }),
})

const mapped = (properties: Fields): Fields =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schemaObject(schema)]))

/** A schema of JSON may be a boolean: true takes everything, and false nothing. */
const schemaObject = (schema: unknown): object =>
  typeof schema === 'object' && schema !== null ? schema : schema === false ? { not: {} } : {}
