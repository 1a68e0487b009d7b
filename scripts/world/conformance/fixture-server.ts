import { ProtocolError, ProtocolErrorCode, Server, inputRequired } from '@modelcontextprotocol/server'
import type { GetPromptResult } from '@modelcontextprotocol/server'

import { askingTools } from './asking-tools.ts'
import { asksFor, image, png } from './contents.ts'
import { plainTools } from './plain-tools.ts'
import { openState, roundTripTools } from './round-trip-tools.ts'

const tools = [...plainTools, ...askingTools, ...roundTripTools]

const prompts = [
  { name: 'test_simple_prompt', description: 'A prompt without arguments' },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments',
    arguments: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource',
    arguments: [{ name: 'resourceUri', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'A prompt with an image' },
  { name: 'test_input_required_result_prompt', description: 'A prompt that asks first' },
]

const resources = ['static-text', 'static-binary', 'watched-resource', 'example-resource'].map((name) => ({
  uri: `test://${name}`,
  name,
  description: `The resource ${name}`,
}))

/** A server with everything that the conformance suite calls by name. */
export function createFixtureServer(): Server {
  const server = new Server(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {} },
      requestState: { verify: async (state) => openState(state) },
    },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: tools.map(({ name, inputSchema = { type: 'object' } }) => ({
      name,
      description: `The tool ${name}`,
      inputSchema: { ...inputSchema, type: 'object' as const },
    })),
  }))
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool')
    return tool.run({ args: params.arguments ?? {}, context, server })
  })
  server.setRequestHandler('prompts/list', () => ({ prompts }))
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) => {
    const hasAnswer = mcpReq.inputResponses?.user_context !== undefined
    if (params.name !== 'test_input_required_result_prompt' || hasAnswer)
      return promptOf(params.name, params.arguments ?? {})
    const requests = {
      user_context: asksFor('What context should the prompt use?', { context: { type: 'string' } }),
    }
    return inputRequired({ inputRequests: requests })
  })
  server.setRequestHandler('resources/list', () => ({ resources }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [contentOf(uri)] }))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['testing'], total: 1, hasMore: false },
  }))
  return server
}

const user = (content: GetPromptResult['messages'][number]['content']) => ({ role: 'user' as const, content })
const says = (text: string) => user({ type: 'text', text })

function promptOf(name: string, args: Readonly<Record<string, string>>): GetPromptResult {
  switch (name) {
    case 'test_simple_prompt':
      return { messages: [says('This is a simple prompt for testing.')] }
    case 'test_prompt_with_arguments':
      return { messages: [says(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`)] }
    case 'test_prompt_with_embedded_resource':
      return {
        messages: [
          user({
            type: 'resource',
            resource: {
              uri: args.resourceUri ?? '',
              mimeType: 'text/plain',
              text: 'Embedded resource content for testing.',
            },
          }),
          says('Please process the embedded resource above.'),
        ],
      }
    case 'test_prompt_with_image':
      return { messages: [user(image), says('Please analyze the image above.')] }
    case 'test_input_required_result_prompt':
      return { messages: [says('With your context.')] }
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown prompt')
  }
}

function contentOf(uri: string) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return { uri, mimeType: 'application/json', text }
  }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: png }
  if (!resources.some((resource) => resource.uri === uri)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource not found', { uri })
  }
  return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
}
