import { MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server'

import { image, textContent, wav } from './contents.ts'
import type { FixtureCall, FixtureTool } from './fixture-tool.ts'

const pauseMs = 20

/** Tools that answer without asking anything. */
export const plainTools: readonly FixtureTool[] = [
  { name: 'test_simple_text', run: () => textContent('This is a simple text response for testing.') },
  { name: 'test_image_content', run: () => ({ content: [image] }) },
  {
    name: 'test_audio_content',
    run: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  },
  {
    name: 'test_embedded_resource',
    run: () => ({
      content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  },
  {
    name: 'test_multiple_content_types',
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  { name: 'test_tool_with_logging', run: log },
  { name: 'test_logging_tool', run: log },
  {
    name: 'test_error_handling',
    run: () => ({ ...textContent('This tool intentionally returns an error for testing'), isError: true }),
  },
  { name: 'test_tool_with_progress', run: progress },
  {
    name: 'test_missing_capability',
    run() {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    },
  },
  { name: 'test_trigger_tool_change', run: () => textContent('nothing changed') },
  { name: 'test_trigger_prompt_change', run: () => textContent('nothing changed') },
  { name: 'test_reconnection', run: () => textContent('still here') },
  { name: 'json_schema_2020_12_tool', inputSchema: schema2020(), run: () => textContent('ok') },
]

function resource(uri: string, mimeType: string, content: string) {
  return { type: 'resource' as const, resource: { uri, mimeType, text: content } }
}

async function log({ context: { mcpReq } }: FixtureCall) {
  for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', message)
    await Bun.sleep(pauseMs)
  }
  return textContent('logged')
}

async function progress({ context: { mcpReq } }: FixtureCall) {
  const progressToken = mcpReq._meta?.progressToken
  for (const done of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: done, total: 100 },
      })
    }
    await Bun.sleep(pauseMs)
  }
  return textContent('done')
}

function schema2020() {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }
}
