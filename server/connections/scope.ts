import type { DownstreamService } from './downstream-service.ts'

/**
 * Who acts: an account, or nobody known, in one gateway session. Whatever is looked up is looked up by all of it; an
 * id alone opens nothing.
 */
export interface Scope {
  /** Null: anonymous. */
  readonly accountId: string | null
  /** Empty: none. What is asked then is kept nowhere, and only asked of servers that keep nothing either. */
  readonly sessionId: string
  /** Who is counted where there is neither an account nor a session; null: nobody, as all have one address. */
  readonly address?: string | null
}

/** What the session and this request bring, by provider: the registry's `credentialKey`. */
export interface OfferedCredentials {
  readonly bag: ReadonlyMap<string, string>
  readonly headers: ReadonlyMap<string, string>
  /** Of `bind_mcp_tokens`. */
  readonly tokens: ReadonlyMap<string, string>
}

/** What a call is about: a service of the registry, or a connection that exists. */
export type ConnectionTarget =
  | { readonly kind: 'service'; readonly service: DownstreamService }
  | { readonly kind: 'connection'; readonly connectionId: string }

/** As in `notifications/progress`, without the token. */
export interface CallProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/** The caller's side of one call. */
export interface CallLink {
  /** Ends the call, and tells the downstream. */
  readonly signal: AbortSignal
  onProgress?(progress: CallProgress): void
  /**
   * What the caller can be asked for, as it declared it (`elicitation`, `sampling`, `roots`): a downstream of the 2026
   * era is told so. Absent: nothing.
   */
  readonly clientCapabilities?: Readonly<Record<string, unknown>>
  /** Answers to a former `input_required`, with the downstream's own state as it was given. */
  readonly inputResponses?: Readonly<Record<string, unknown>>
  readonly requestState?: string
  /** `traceparent`, `tracestate` and `baggage` are handed on; nothing else is. */
  readonly meta?: Readonly<Record<string, unknown>>
}
