import { inputRequired } from '@modelcontextprotocol/server'
import type { InputRequests, ServerContext } from '@modelcontextprotocol/server'

import { type FormFields, asksFor, textContent } from './contents.ts'
import type { FixtureCall, FixtureTool } from './fixture-tool.ts'

const name: FormFields = { name: { type: 'string' } }
const samples = (question: string, maxTokens: number) => ({
  method: 'sampling/createMessage' as const,
  params: {
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: question } }],
    maxTokens,
  },
})
const roots = { method: 'roots/list' as const, params: {} }

/** Asks until every question has an answer that is an object; then it repeats the answers. */
const asking = (tool: string, requests: InputRequests, state?: string): FixtureTool => ({
  name: tool,
  run({ context: { mcpReq } }) {
    const answers = mcpReq.inputResponses ?? {}
    const isAnswered = Object.keys(requests).every((key) => isObject(answers[key]))
    if (isAnswered && (state === undefined || mcpReq.requestState() === state)) {
      return textContent(`${state === undefined ? '' : 'state-ok '}${JSON.stringify(answers)}`)
    }
    return inputRequired({
      inputRequests: requests,
      ...(state !== undefined && { requestState: sealed(state) }),
    })
  },
})

/** Tools of 2026-07-28 that answer in several rounds. */
export const roundTripTools: readonly FixtureTool[] = [
  asking('test_input_required_result_elicitation', { user_name: asksFor('What is your name?', name) }),
  asking('test_input_required_result_sampling', {
    capital_question: samples('What is the capital of France?', 100),
  }),
  asking('test_input_required_result_list_roots', { client_roots: roots }),
  asking(
    'test_input_required_result_request_state',
    { confirm: asksFor('Please confirm', { ok: { type: 'boolean' } }) },
    'confirm',
  ),
  asking(
    'test_input_required_result_tampered_state',
    { confirm: asksFor('Please confirm', { ok: { type: 'boolean' } }) },
    'tamper',
  ),
  asking(
    'test_input_required_result_multiple_inputs',
    {
      user_name: asksFor('What is your name?', name),
      greeting: samples('Generate a greeting', 50),
      client_roots: roots,
    },
    'multiple',
  ),
  { name: 'test_input_required_result_multi_round', run: twoRounds },
  {
    name: 'test_input_required_result_capabilities',
    run({ context, server }: FixtureCall) {
      if (isObject(context.mcpReq.inputResponses?.answer)) return textContent('thank you')
      const can = server.getClientCapabilities() ?? {}
      const requests: InputRequests = {}
      if (can.sampling !== undefined) requests.answer = samples('What is two and two?', 10)
      if (can.elicitation !== undefined) requests.form = asksFor('What is two and two?', name)
      return inputRequired({ inputRequests: requests })
    },
  },
]

function twoRounds({ context: { mcpReq } }: { context: ServerContext }) {
  const answers = mcpReq.inputResponses ?? {}
  const round = mcpReq.requestState()
  if (round === 'round-2' && isObject(answers.step2)) return textContent('all answered')
  const isSecond = round === 'round-1' && isObject(answers.step1)
  return isSecond
    ? inputRequired({
        inputRequests: {
          step2: asksFor('Step 2: What is your favorite color?', { color: { type: 'string' } }),
        },
        requestState: sealed('round-2'),
      })
    : inputRequired({
        inputRequests: { step1: asksFor('Step 1: What is your name?', name) },
        requestState: sealed('round-1'),
      })
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** A check at the end suffices here: nobody but the suite alters it. */
const sealed = (state: string): string => `${state}.ok`

export function openState(state: string): string {
  if (!state.endsWith('.ok')) throw new Error('the state was altered')
  return state.slice(0, -'.ok'.length)
}
