import type { AuthSource, ConnectionKind, ConnectionView } from '../../shared/connections.ts'

/** What went wrong on the way to a tool server that is listed, in the words that its callers are told. */
export type NetworkFailure =
  | 'dns'
  | 'refused'
  | 'tls'
  | 'timed_out'
  | 'not_mcp'
  | 'redirected'
  | 'status'
  | 'protocol_error'

/** What went wrong on the way, where the caller may know it. */
export interface WhyUnreachable {
  readonly why?: NetworkFailure
  readonly httpStatus?: number
  /** In how many seconds the tool server wants to be asked again. */
  readonly retryAfterSec?: number
}

/** Why a call to a tool server failed. Texts come from the gateway, and no field holds a secret. */
export type CallFailure =
  /** The scope has no such connection: it does not exist, or belongs to somebody else. */
  | { readonly outcome: 'unknown_connection' }
  /** The registry no longer lists the service of a saved connection. */
  | { readonly outcome: 'service_gone'; readonly serviceId: string }
  /**
   * The registry names another address than the one for which the secret was saved, so the secret is not sent.
   */
  | { readonly outcome: 'origin_changed'; readonly serviceId: string }
  /** The tool server answered 401 or 403, or needs credentials and none were offered. */
  | {
      readonly outcome: 'auth_required'
      readonly serviceId: string
      /** The name under which credentials are offered. */
      readonly credentialKey: string | null
      /** The source of the refused credentials; `none` when none were sent. */
      readonly authSource: AuthSource
      /** The account of the caller can connect it by OAuth. */
      readonly byOAuth?: true
      /** The saved connection whose credentials were refused, and the page where its owner can act. */
      readonly saved?: { readonly connectionId: string; readonly url: string }
    }
  /** By OAuth: its owner has to agree at `url`, a page of ours, or to agree to more. */
  | {
      readonly outcome: 'consent_needed'
      readonly serviceId: string
      readonly connectionId: string
      readonly why: 'consent_needed' | 'more_scope_needed'
      readonly url: string
    }
  /** Connecting failed. Without `why` the address may not be reached, and nothing is revealed about what is there. */
  | ({ readonly outcome: 'unreachable'; readonly serviceId: string } & WhyUnreachable)
  /** The connection works, but the answer did not come in time. */
  | { readonly outcome: 'timed_out'; readonly serviceId: string }
  /** The answer exceeds a limit; `what` names it. */
  | {
      readonly outcome: 'too_large'
      readonly serviceId: string
      readonly what: TooLarge
      /** The size of a result that the tool gave, and what the connection takes. */
      readonly size?: { readonly bytes: number; readonly most: number }
    }
  /** The answer is not MCP (`why` says so), or the server refused to begin. */
  | ({ readonly outcome: 'protocol_error'; readonly serviceId: string } & WhyUnreachable)
  /** Too many calls are in progress; or, where `isFailing`, the server has failed too often. Retry later. */
  | { readonly outcome: 'busy'; readonly retryAfterSec: number; readonly isFailing?: true }
  | { readonly outcome: 'cancelled' }

/** A failure on the way to a tool server that is known. */
export type SentCallFailure = Exclude<CallFailure, { readonly outcome: 'unknown_connection' }>

export type TooLarge = 'result' | 'body' | 'event' | 'depth' | 'tools' | 'pages' | 'endless'

export type ConnectResult =
  | {
      readonly outcome: 'connected'
      readonly connection: ConnectionView
      readonly server: { readonly name: string; readonly version: string } | null
      readonly protocolVersion: string | null
      /** The names of its tools. */
      readonly toolNames: readonly string[]
      /** How many tools are not among them: they have no name or too large a definition, or a client must ignore them. */
      readonly leftOut: number
      readonly instructions: ServerInstructions | null
    }
  | CallFailure

/** A server's instructions for its users: untrusted text of at most 4 KB, and what was found in it. */
export interface ServerInstructions {
  readonly text: string
  readonly findings: readonly ToolFinding[]
  readonly warnings: readonly ToolWarning[]
}

/** Where a tool is. */
export interface ToolSource {
  readonly connection: { readonly id: string; readonly kind: ConnectionKind }
  readonly service: { readonly serviceId: string }
}

/** One tool of a tool server. */
export interface ListedTool {
  /** The definition exactly as the tool server sent it. */
  readonly definition: Readonly<Record<string, unknown>> & { readonly name: string }
  /** True when the definition differs from the one first seen or last accepted. */
  readonly changed: boolean
  /** What an agent is told of the findings. */
  readonly warnings: readonly ToolWarning[]
  /** What was found in its texts, for the owner of the connection. */
  readonly findings: readonly ToolFinding[]
  /** Why calls of it are refused, whatever their arguments; null where no rule refuses them. */
  readonly refusal: string | null
}

/** What can be found in a definition. `link` and `same_name` are ordinary, and told to the owner alone. */
export type ToolFindingKind =
  | 'deceptive_link'
  | 'hidden_characters'
  | 'instructions'
  | 'link'
  | 'long_text'
  | 'names_other_tool'
  | 'same_name'
  | 'shadows_gateway'

export type ToolWarning = Exclude<ToolFindingKind, 'link' | 'same_name'>

/** One thing in a definition that a person should read. */
export interface ToolFinding {
  readonly kind: ToolFindingKind
  /** What an instruction is about; see `tools/instruction-patterns.ts`. */
  readonly detail?: string
  /** The path in the definition, such as `inputSchema.properties.path.description`. */
  readonly where: string
  /** The words in question. They are the tool server's, and untrusted. */
  readonly excerpt: string
}

export type ToolListResult =
  | {
      readonly outcome: 'listed'
      readonly connectionId: string
      readonly authSource: AuthSource
      readonly source: ToolSource
      readonly tools: readonly ListedTool[]
      /** How many tools are not among them, for the same reasons. */
      readonly leftOut: number
      readonly instructions: ServerInstructions | null
      /** Names that were in the accepted list and are missing now. */
      readonly removed: readonly string[]
      /** The fingerprint with which this list is accepted, those of callers who can be asked more or less, and no later one. */
      readonly fingerprint: string
    }
  | CallFailure

/**
 * A result of `tools/call` exactly as it came: content, structuredContent, isError, _meta and any other field.
 */
export type RawToolResult = Readonly<Record<string, unknown>>

export interface NamedToolCall {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

/** A page of somebody else that the user of a tool server has to open before it runs a call (protocol 2025-11-25). */
export interface UrlElicitation {
  readonly mode: 'url'
  readonly url: string
  readonly message: string
  readonly elicitationId?: string
}

export type ToolCallResult =
  | {
      readonly outcome: 'answered'
      readonly connectionId: string
      readonly authSource: AuthSource
      readonly result: RawToolResult
      /** True when the tool's definition differs from the accepted one. */
      readonly changed: boolean
    }
  /**
   * The scope has no session, and the tool server may keep state: without a session it would be shared by
   * everybody.
   */
  | { readonly outcome: 'session_needed' }
  /** The tool server needs input from the caller first: `inputRequests`, `requestState`. */
  | {
      readonly outcome: 'input_required'
      readonly connectionId: string
      readonly authSource: AuthSource
      readonly result: RawToolResult
    }
  /**
   * The tool server refused the call with a JSON-RPC error, such as an unknown tool. Its text is untrusted, and so are the
   * pages that it wants to be opened first.
   */
  | {
      readonly outcome: 'refused'
      readonly serviceId: string
      readonly error: { readonly code: number; readonly message: string }
      readonly elicitations: readonly UrlElicitation[]
    }
  /** A rule of the installation or the account forbids the call. Nothing was sent. */
  | {
      readonly outcome: 'denied'
      /** Says which rule it was, and who can change it. */
      readonly message: string
      /** The seconds after which the same call would be admitted; null where no wait helps. */
      readonly retryAfterSec: number | null
    }
  | CallFailure
