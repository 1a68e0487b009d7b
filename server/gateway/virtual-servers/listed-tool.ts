import type { Tool } from '@modelcontextprotocol/server'

import type { ExposedTool } from '../../virtual-servers/virtual-servers.ts'

/** Returns a definition in the form of the SDK, which wants the schema of an object. */
export const listedTool = (definition: ExposedTool['definition']): Tool => ({
  ...definition,
  inputSchema: { ...schemaOf(definition.inputSchema), type: 'object' },
})

const schemaOf = (schema: unknown): object => (typeof schema === 'object' && schema !== null ? schema : {})
