import type { Tool } from '@modelcontextprotocol/server'

import type { CallLink, Connections, CallProgress } from '../../connections/connections.ts'
import type { RegistryQueries } from '../../registry/registry.ts'
import type { SearchCache } from '../search-cache.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { StateSeal, PendingInput } from '../state-seal.ts'
import type { GatewayCaller } from '../authentication.ts'
import type { GatewaySession } from '../sessions/session.ts'
import type { ToolResult } from '../tool-result.ts'

/** One of the five tools. */
export interface GatewayTool {
  readonly definition: Tool
  /** Runs the tool with unvalidated arguments. May throw faults. */
  run(
    given: Readonly<Record<string, unknown>>,
    call: ClientCall,
    services: ToolServices,
  ): ToolResult | Promise<ToolResult>
}

/** One `tools/call`: its caller, and the ways to answer them. */
export interface ClientCall {
  readonly caller: GatewayCaller
  /** The session of the transport; null from protocol 2026-07-28 on, where transports have none. */
  readonly session: GatewaySession | null
  /** The headers of the HTTP request. */
  readonly headers: Headers | null
  readonly requestId: string | null
  /** Fires when the client no longer wants the answer. */
  readonly signal: AbortSignal
  /** Reports progress; null when the client asked for none. */
  readonly onProgress: ((progress: CallProgress) => void) | null
  /**
   * The client's answers to an earlier `input_required`, and the state that was sent with it, already
   * verified.
   */
  readonly inputResponses: Readonly<Record<string, unknown>> | null
  readonly pendingInput: PendingInput | null
  readonly clientCapabilities: Readonly<Record<string, unknown>> | null
  readonly meta: Readonly<Record<string, unknown>> | null
  /** Asks the client in the middle of the call; null from protocol 2026-07-28 on, where clients are asked with a result. */
  readonly ask: NonNullable<CallLink['ask']> | null
}

/** The services that tools use. */
export interface ToolServices {
  readonly registry: RegistryQueries
  readonly connections: Omit<Connections, 'acceptTools' | 'endSession' | 'stop' | 'passThrough' | 'oauth'>
  readonly sessions: GatewaySessions
  readonly searchCache: SearchCache
  readonly seal: StateSeal
  /**
   * Counts one downstream call of an address. Returns the seconds to wait when there were too many, else 0.
   */
  readonly countDownstreamCall: (address: string | null) => number
}
