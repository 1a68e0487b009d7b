import * as z from 'zod'

import type { NamedToolCall } from '../call-results.ts'

const Context = z.object({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  toolCalls: z.custom<NamedToolCall[]>().optional(),
})
export const HandedScenario = z.object({ url: z.string(), name: z.string(), context: Context })

/** What the conformance suite tells the client that it starts: the address of its server, the scenario, and what it gives for it. */
export type ConformanceScenario = z.infer<typeof HandedScenario>

/** A client: returns in words what was not as it should be. */
export type ConformanceClient = (scenario: ConformanceScenario) => Promise<string[]>

export interface HandedScenarios {
  /** What the suite starts in place of a client. */
  readonly command: string
  stop(): void
}

/**
 * Lets `client` run in this process, which has read its modules already: the suite starts a program for each scenario, and that
 * only hands over what it was told.
 */
export function handScenariosTo(client: ConformanceClient): HandedScenarios {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    // As long as the suite waits.
    idleTimeout: 0,
    async fetch(request) {
      const words = await client(HandedScenario.parse(await request.json()))
      return new Response(words.map((line) => `${line}\n`).join(''))
    },
    error: (error) => new Response(Bun.inspect(error), { status: 500 }),
  })
  const program = './server/connections/test-support/hand-over.ts'
  return {
    command: `${process.execPath} --no-env-file ${program} ${server.url.href}`,
    stop: () => void server.stop(true),
  }
}
