import type { CallToolResult, InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server'

/** One call of a tool of the fixture. */
export interface FixtureCall {
  readonly args: Readonly<Record<string, unknown>>
  readonly context: ServerContext
  readonly server: Server
}

type Result = CallToolResult | InputRequiredResult

/** A tool whose name and behaviour the conformance suite prescribes. */
export interface FixtureTool {
  readonly name: string
  readonly inputSchema?: Readonly<Record<string, unknown>>
  run(call: FixtureCall): Result | Promise<Result>
}
