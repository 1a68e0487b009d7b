import type { AuthSource, ConnectionView } from '../../shared/connections.ts'

/** What the downstream said, or why nothing came of it. Texts are the gateway's; nothing here holds a secret. */
export type CallFailure =
  /** The scope has no such connection: it is not there, or belongs to somebody else. */
  | { readonly outcome: 'unknown_connection' }
  /** The registry does not list the service of a saved connection any more. */
  | { readonly outcome: 'service_gone'; readonly serviceId: string }
  /** The registry names another address than the one a saved secret was given for: it is not sent there. */
  | { readonly outcome: 'origin_changed'; readonly serviceId: string }
  /** The downstream answered 401 or 403, or wants credentials of which none was brought. */
  | {
      readonly outcome: 'auth_required'
      readonly serviceId: string
      /** The name under which to bring them. */
      readonly credentialKey: string | null
      /** What was sent and refused; `none`: nothing was sent. */
      readonly authSource: AuthSource
    }
  /** One answer for all that can go wrong on the way, so that it tells nothing about the network. */
  | { readonly outcome: 'unreachable'; readonly serviceId: string }
  /** Connected, but the answer did not come in time. */
  | { readonly outcome: 'timed_out'; readonly serviceId: string }
  /** The answer is larger, deeper or longer than is taken: `what` says in which way. */
  | { readonly outcome: 'too_large'; readonly serviceId: string; readonly what: TooLarge }
  /** What came is not MCP. */
  | { readonly outcome: 'protocol_error'; readonly serviceId: string }
  /** The caller has too much under way, or the place has failed too often: later. */
  | { readonly outcome: 'busy'; readonly retryAfterSec: number }
  | { readonly outcome: 'cancelled' }

export type TooLarge = 'body' | 'event' | 'depth' | 'tools' | 'pages' | 'schema'

export type ConnectResult =
  | {
      readonly outcome: 'connected'
      readonly connection: ConnectionView
      readonly server: { readonly name: string; readonly version: string } | null
      readonly protocolVersion: string | null
      /** Of the server, for whom it is meant: untrusted text, at most 4 KB. */
      readonly instructions: string | null
    }
  | CallFailure

/** One tool of a downstream. */
export interface ListedTool {
  /** As the downstream defines it, untouched. */
  readonly definition: Readonly<Record<string, unknown>> & { readonly name: string }
  /** It is another definition than the one that was first seen or last accepted. */
  readonly changed: boolean
  /** What a reader should beware of in its texts: `hidden_characters`, `long_text`. */
  readonly warnings: readonly ToolWarning[]
}

export type ToolWarning = 'hidden_characters' | 'long_text'

export type ToolListResult =
  | {
      readonly outcome: 'listed'
      readonly connectionId: string | null
      readonly authSource: AuthSource
      readonly tools: readonly ListedTool[]
      /** Names that were there when the list was accepted and are not any more. */
      readonly removed: readonly string[]
      /** Of this list: to accept it, and nothing that came later. */
      readonly fingerprint: string
    }
  | CallFailure

/** A result of `tools/call`, untouched: content, structuredContent, isError, _meta and whatever else. */
export type RawToolResult = Readonly<Record<string, unknown>>

export interface ToolCall {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

export type ToolCallResult =
  | {
      readonly outcome: 'answered'
      readonly connectionId: string | null
      readonly authSource: AuthSource
      readonly result: RawToolResult
      /** The tool's definition is another one than was accepted. */
      readonly changed: boolean
    }
  /** The scope has no session, and the downstream may keep one of its own: it would be everybody's. */
  | { readonly outcome: 'session_needed' }
  /** The downstream asks the caller something first: `inputRequests`, `requestState`. */
  | {
      readonly outcome: 'input_required'
      readonly connectionId: string | null
      readonly authSource: AuthSource
      readonly result: RawToolResult
    }
  /** The downstream refused the call with a JSON-RPC error, for instance an unknown tool. Untrusted text. */
  | {
      readonly outcome: 'refused'
      readonly serviceId: string
      readonly error: { readonly code: number; readonly message: string }
    }
  | CallFailure
