import * as z from 'zod/mini'

const maxToolNameChars = 256
const maxConnectionIdChars = 400

/** A tool server that the console tries out: a saved connection, or a public one. */
export const PlaygroundTarget = z.strictObject({
  connectionId: z.string().check(z.minLength(1), z.maxLength(maxConnectionIdChars)),
})

/** The answer of a person to one question of a tool, as MCP has it. */
const PlaygroundAnswer = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
})
export type PlaygroundAnswer = z.infer<typeof PlaygroundAnswer>

/** One call of a tool; with answers, and the state that the tool gave with its questions, the same call once more. */
export const PlaygroundCall = z.strictObject({
  ...PlaygroundTarget.shape,
  tool: z.string().check(z.minLength(1), z.maxLength(maxToolNameChars)),
  arguments: z.record(z.string(), z.unknown()),
  inputResponses: z.optional(z.record(z.string(), PlaygroundAnswer)),
  requestState: z.optional(z.string()),
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
