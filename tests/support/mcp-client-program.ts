import { createInterface } from 'node:readline'

import {
  type ClientKind,
  type ClientSettings,
  type TestMcpClient,
  connectClient,
} from '../../scripts/world/mcp-clients.ts'

/** A line on standard input: what the client shall do. The first one connects it. */
export type ClientQuestion =
  | {
      readonly ask: 'connect'
      readonly kind: ClientKind
      readonly base: string
      readonly settings: ClientSettings
    }
  | { readonly ask: 'toolNames' }
  | { readonly ask: 'call'; readonly tool: string; readonly args: Record<string, unknown> }
  | {
      readonly ask: 'execute'
      readonly operation: string
      readonly args: Record<string, unknown>
      readonly serviceId?: string | undefined
    }
  | { readonly ask: 'close' }

/** A line on standard output, for each question one. */
export type ClientAnswer<T> = { readonly value: T } | { readonly error: string }

let connected: TestMcpClient | undefined

function client(): TestMcpClient {
  if (connected === undefined) throw new Error('not connected')
  return connected
}

async function answer(question: ClientQuestion): Promise<unknown> {
  switch (question.ask) {
    case 'connect':
      connected = await connectClient(question.kind, question.base, question.settings)
      return 'Bun' in globalThis ? 'Bun' : `Node ${process.versions.node}`
    case 'toolNames':
      return client().toolNames()
    case 'call':
      return client().call(question.tool, question.args)
    case 'execute':
      return client().execute(question.operation, question.args, question.serviceId)
    case 'close':
      return client().close()
  }
}

/** `undefined` is no JSON. */
async function answered(question: ClientQuestion): Promise<ClientAnswer<unknown>> {
  try {
    return { value: (await answer(question)) ?? null }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answered(JSON.parse(line)))}\n`)
}
process.exit(0)
