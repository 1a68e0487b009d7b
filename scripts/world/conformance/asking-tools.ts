import { inputRequired } from '@modelcontextprotocol/server'

import { type FormFields, asksFor, textContent } from './contents.ts'
import type { FixtureCall, FixtureTool } from './fixture-tool.ts'

const titled = (...titles: string[]) => titles.map((title, index) => ({ const: `value${index + 1}`, title }))

const defaults: FormFields = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}

const options = ['option1', 'option2', 'option3']

const enums: FormFields = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
}

const person: FormFields = {
  username: { type: 'string', description: "User's response" },
  email: { type: 'string', description: "User's email address" },
}

/** Tools that ask the client something before they answer, as a server did before 2026 and as it does since. */
export const askingTools: readonly FixtureTool[] = [
  { name: 'test_sampling', inputSchema: needs('prompt'), run: sample },
  {
    name: 'test_elicitation',
    inputSchema: needs('message'),
    run: (call) => elicit(call, String(call.args.message), person, 'User response'),
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    run: (call) => elicit(call, 'Please check', defaults, 'Elicitation completed'),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    run: (call) => elicit(call, 'Please choose', enums, 'Elicitation completed'),
  },
  {
    name: 'test_streaming_elicitation',
    async run({ context: { mcpReq } }) {
      if (mcpReq.inputResponses?.name !== undefined) return textContent('thank you')
      return inputRequired({ inputRequests: { name: asksFor('Your name?', { name: { type: 'string' } }) } })
    },
  },
]

function needs(name: string) {
  return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] }
}

/**
 * Sends a question on the stream of the call that it belongs to. Otherwise the SDK sends it on the session's own stream,
 * and silently discards it while the client has not opened that one yet.
 */
const onStreamOf = ({ id }: FixtureCall['context']['mcpReq']) => ({ relatedRequestId: id })

async function sample({ args, context: { mcpReq } }: FixtureCall) {
  const { content } = await mcpReq.requestSampling(
    {
      messages: [{ role: 'user', content: { type: 'text', text: String(args.prompt) } }],
      maxTokens: 100,
    },
    onStreamOf(mcpReq),
  )
  return textContent(`LLM response: ${JSON.stringify(content)}`)
}

async function elicit(
  { context: { mcpReq } }: FixtureCall,
  message: string,
  properties: FormFields,
  said: string,
) {
  const result = await mcpReq.elicitInput(asksFor(message, properties).params, onStreamOf(mcpReq))
  return textContent(`${said}: action=${result.action}, content=${JSON.stringify(result.content ?? {})}`)
}
