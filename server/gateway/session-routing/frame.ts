import * as z from 'zod/mini'

const Headers = z.array(z.tuple([z.string(), z.string()]))

/** A request for the process that owns the session. The frame's payload is the body. */
const RequestFrame = z.object({
  kind: z.literal('ask'),
  call: z.string(),
  session: z.string(),
  /** The name of the caller whom the forwarding process authenticated. */
  principal: z.string(),
  requestId: z.string(),
  method: z.string(),
  url: z.string(),
  headers: Headers,
  hasBody: z.boolean(),
  caller: z.object({ address: z.nullable(z.string()), origin: z.nullable(z.string()) }),
})
export type RequestFrame = z.infer<typeof RequestFrame>

/** Asks a process for its sessions. */
const SessionListRequest = z.object({
  kind: z.literal('list'),
  call: z.string(),
  /** The id of an account; null asks for every account. */
  owner: z.nullable(z.string()),
})
export type SessionListRequest = z.infer<typeof SessionListRequest>

/**
 * The messages between processes. `call` identifies a forwarded request and is chosen by the process that
 * forwards it.
 */
export const Frame = z.discriminatedUnion('kind', [
  /**
   * A heartbeat that a process sends to itself, which proves that messages arrive. `sentAt` is ms of the
   * sender's monotonic clock.
   */
  z.object({ kind: z.literal('beat'), sentAt: z.number() }),
  RequestFrame,
  /** Returns credit: the forwarding process has passed on this many bytes. */
  z.object({ kind: z.literal('more'), call: z.string(), bytes: z.number() }),
  /** The caller has disconnected. */
  z.object({ kind: z.literal('abort'), call: z.string() }),
  /** The session is here and the request is being executed. */
  z.object({ kind: z.literal('taken'), call: z.string() }),
  /** The session is not here; nothing was executed. */
  z.object({ kind: z.literal('absent'), call: z.string() }),
  /** The process cannot tell yet whether the session is here, or is overloaded; nothing was executed. */
  z.object({ kind: z.literal('later'), call: z.string() }),
  z.object({
    kind: z.literal('head'),
    call: z.string(),
    status: z.number(),
    headers: Headers,
    hasBody: z.boolean(),
  }),
  /** A part of the body, in the payload. */
  z.object({ kind: z.literal('part'), call: z.string() }),
  z.object({ kind: z.literal('end'), call: z.string() }),
  /** The response ended early. */
  z.object({ kind: z.literal('broken'), call: z.string() }),
  SessionListRequest,
  /** A page of sessions for people, as JSON in the payload. */
  z.object({ kind: z.literal('listed'), call: z.string(), isLast: z.boolean() }),
])
export type Frame = z.infer<typeof Frame>

/** Frames about a forwarded request: those of the forwarding process, and those of the owner process. */
export type RequesterFrame = Extract<Frame, { kind: 'ask' | 'more' | 'abort' }>
export type OwnerFrame = Extract<
  Frame,
  { kind: 'taken' | 'absent' | 'later' | 'head' | 'part' | 'end' | 'broken' }
>

/** Frames about session lists. */
export type SessionListFrame = Extract<Frame, { kind: 'list' | 'listed' }>
