import type { DownstreamService } from './downstream-service.ts'

/**
 * The scope of a call: an account or an anonymous caller, in one gateway session. Every look-up uses the whole
 * scope, so that an id alone gives no access.
 */
export interface Scope {
  /** The account; null for anonymous callers. */
  readonly accountId: string | null
  /**
   * The session; empty when there is none. Such a call stores nothing, and reaches only tool servers that
   * store nothing either.
   */
  readonly sessionId: string
  /** The API key or the grant of the caller; absent for anonymous callers, and for the owner in the console. */
  readonly keyId?: string
  /**
   * The address by which a caller without account and session is limited; null where all callers share one
   * address.
   */
  readonly address?: string | null
}

/** The credentials that the session and the request offer, by provider (the registry's `credentialKey`). */
export interface OfferedCredentials {
  readonly bag: ReadonlyMap<string, string>
  readonly headers: ReadonlyMap<string, string>
  /** Tokens from `bind_mcp_tokens`. */
  readonly tokens: ReadonlyMap<string, string>
}

/** The target of a call: a service of the registry, or an existing connection. */
export type ConnectionTarget =
  | { readonly kind: 'service'; readonly service: DownstreamService }
  | { readonly kind: 'connection'; readonly connectionId: string }

/** The content of `notifications/progress`, without its token. */
export interface CallProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/**
 * How a call came in: through the tool `execute`, through `/mcp/c/<connection_id>`, through a virtual server, or from the
 * console's playground.
 */
export type ToolCallDoor = 'execute' | 'pass_through' | 'virtual_server' | 'console'

/** What a tool server asks in the middle of a call: `elicitation/create`, `sampling/createMessage` or `roots/list`. */
export interface DownstreamQuestion {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** The caller's side of one call. */
export interface CallLink {
  /** Cancels the call; the tool server is notified. */
  readonly signal: AbortSignal
  onProgress?(progress: CallProgress): void
  /**
   * The client capabilities (`elicitation`, `sampling`, `roots`) that are declared to tool servers of protocol
   * 2026-07-28. Absent: none.
   */
  readonly clientCapabilities?: Readonly<Record<string, unknown>>
  /**
   * Asks the caller in the middle of the call, as tool servers before protocol 2026-07-28 do. Absent: nobody can be asked
   * then. Rejects when the caller answers with an error, or is gone.
   */
  ask?(question: DownstreamQuestion): Promise<Readonly<Record<string, unknown>>>
  /** The answers to an earlier `input_required`, with the tool server's state unchanged. */
  readonly inputResponses?: Readonly<Record<string, unknown>>
  readonly requestState?: string
  /** Metadata of the call. Only `traceparent`, `tracestate` and `baggage` are passed on. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** How the call came in. Absent: through `execute`. */
  readonly door?: ToolCallDoor
}
