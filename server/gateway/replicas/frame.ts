import * as z from 'zod/mini'

const Headers = z.array(z.tuple([z.string(), z.string()]))

/** A request that its session's process is to answer. Its body comes as the bytes of the frame. */
const Ask = z.object({
  kind: z.literal('ask'),
  call: z.string(),
  session: z.string(),
  /** Name of the principal that the asking process found. */
  principal: z.string(),
  requestId: z.string(),
  method: z.string(),
  url: z.string(),
  headers: Headers,
  hasBody: z.boolean(),
  caller: z.object({ address: z.nullable(z.string()), origin: z.nullable(z.string()) }),
})
export type Ask = z.infer<typeof Ask>

/** Which sessions are there? */
const ListQuestion = z.object({
  kind: z.literal('list'),
  call: z.string(),
  /** Id of an account; null: everybody. */
  owner: z.nullable(z.string()),
})
export type ListQuestion = z.infer<typeof ListQuestion>

/** What processes say to each other. `call`: names one request, made by the process that asks. */
export const Frame = z.discriminatedUnion('kind', [
  /** To oneself: what is sent arrives. `sentAt`: ms of the monotonic clock of the sender. */
  z.object({ kind: z.literal('beat'), sentAt: z.number() }),
  Ask,
  /** The asking process has handed on so many bytes: more may come. */
  z.object({ kind: z.literal('more'), call: z.string(), bytes: z.number() }),
  /** The caller is gone. */
  z.object({ kind: z.literal('abort'), call: z.string() }),
  /** The session is here, and the request is being answered. */
  z.object({ kind: z.literal('taken'), call: z.string() }),
  /** The session is not here, and nothing was done. */
  z.object({ kind: z.literal('absent'), call: z.string() }),
  /** This process cannot tell now whether the session is here, or has too much to do; nothing was done. */
  z.object({ kind: z.literal('later'), call: z.string() }),
  z.object({
    kind: z.literal('head'),
    call: z.string(),
    status: z.number(),
    headers: Headers,
    hasBody: z.boolean(),
  }),
  /** Bytes of the body. */
  z.object({ kind: z.literal('part'), call: z.string() }),
  z.object({ kind: z.literal('end'), call: z.string() }),
  /** The answer ends before its end. */
  z.object({ kind: z.literal('broken'), call: z.string() }),
  ListQuestion,
  /** Some of them, for people, as JSON in the bytes of the frame. */
  z.object({ kind: z.literal('listed'), call: z.string(), isLast: z.boolean() }),
])
export type Frame = z.infer<typeof Frame>

/** Frames about a call, from the process that asks, and to it. */
export type FromAsker = Extract<Frame, { kind: 'ask' | 'more' | 'abort' }>
export type FromHome = Extract<
  Frame,
  { kind: 'taken' | 'absent' | 'later' | 'head' | 'part' | 'end' | 'broken' }
>

/** Frames about lists of sessions. */
export type AboutLists = Extract<Frame, { kind: 'list' | 'listed' }>
