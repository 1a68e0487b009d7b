import type { ListToolsResult, ServerOptions, Tool } from '@modelcontextprotocol/server'

import type { GatewayCaller } from './authentication.ts'
import type { ToolResult } from './tool-result.ts'
import type { ClientCall } from './tools/tool.ts'

/** Runs one tool. The result is synchronous where the tool is; never throws anything but a `ProtocolError`. */
export type RunNamedTool = (
  given: Readonly<Record<string, unknown>>,
  call: ClientCall,
) => ToolResult | Promise<ToolResult>

/** The tools at one address: the five of the gateway, or those of a virtual server. */
export interface ToolSet {
  /** What a client is told of the server when it begins. */
  readonly options: Pick<ServerOptions, 'capabilities' | 'instructions' | 'cacheHints'>
  list(): ListToolsResult | Promise<ListToolsResult>
  /** Returns a tool as far as it is known in memory. */
  find(name: string): RunNamedTool | undefined
  /** Returns a tool, after reading what is not in memory yet. */
  lookUp(name: string): Promise<RunNamedTool | undefined>
  /** Returns the output schema that a tool is listed with; undefined where it has none, or that of an object. */
  outputSchemaOf(name: string): Tool['outputSchema']
  /** Calls back whenever a client would see other tools, until the returned function is called. */
  watch(told: () => void): () => void
}

/** Returns the tools at the address that a caller came to. */
export type ToolsOf = (caller: GatewayCaller) => ToolSet
