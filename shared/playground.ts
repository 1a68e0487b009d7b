import * as z from 'zod/mini'

import { anyObject, handedBack, lines, text } from './text.ts'

const maxToolNameChars = 256
const maxConnectionIdChars = 400
const maxFieldChars = 1_000
const maxAnswerChars = 100_000
const maxStateChars = 1_000_000

/** A tool server that the console tries out: a saved connection, or a public one. */
export const PlaygroundTarget = z.strictObject({
  connectionId: text({ max: maxConnectionIdChars }),
})

/** The answer of a person to one question of a tool, as MCP has it. */
const PlaygroundAnswer = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.optional(
    z.record(
      text({ max: maxFieldChars }),
      z.union([lines({ min: 0, max: maxAnswerChars }), z.number(), z.boolean()]),
    ),
  ),
})
export type PlaygroundAnswer = z.infer<typeof PlaygroundAnswer>

/** One call of a tool; with answers, and the state that the tool gave with its questions, the same call once more. */
export const PlaygroundCall = z.strictObject({
  ...PlaygroundTarget.shape,
  tool: text({ max: maxToolNameChars }),
  arguments: anyObject(),
  inputResponses: z.optional(z.record(text({ max: maxFieldChars }), PlaygroundAnswer)),
  requestState: z.optional(handedBack(maxStateChars)),
})

/** A tool server that saved credentials can be for. */
export interface CredentialServer {
  readonly serviceId: string
  readonly chains: readonly string[]
  readonly title: string
  readonly provider: string | null
  readonly endpoint: string
  readonly authType: string
  readonly credentialKey: string | null
}
