import * as z from 'zod/mini'

import { parseJson } from '../../platform/json.ts'

const Headers = z.array(z.tuple([z.string(), z.string()]))

/** What the process that has a session is told of a request, besides its body. */
const RequestHead = z.object({
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
export type RequestHead = z.infer<typeof RequestHead>

const ResponseHead = z.object({ status: z.number(), headers: Headers, hasBody: z.boolean() })
export type ForwardedHead = z.infer<typeof ResponseHead>

/** The path at which processes take requests for their sessions. */
export const forwardPath = '/gateway/requests'

/** Statuses of the response between processes: with the last two, nothing was executed. */
export const forwardStatus = { taken: 200, absent: 410, later: 503 } as const

const newline = 10

/** The head as one line of JSON, then the body. */
export function packRequest(head: RequestHead, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return Buffer.concat([headLine(head), body])
}

/** Null for what another version of ours may say. */
export function unpackRequest(bytes: Uint8Array): { head: RequestHead; body: Uint8Array } | null {
  const end = bytes.indexOf(newline)
  const head = RequestHead.safeParse(parseJson(bytes.subarray(0, end)))
  return head.success ? { head: head.data, body: bytes.subarray(end + 1) } : null
}

export const headLine = (head: RequestHead | ForwardedHead): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`${JSON.stringify(head)}\n`)

/**
 * Reads the head of a response, before which there is an empty line as soon as the request is taken. Returns it with what
 * was read of the body. Rejects when the stream breaks off before.
 */
export async function readForwardedHead(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<{ head: ForwardedHead; rest: Uint8Array }> {
  let read = Buffer.alloc(0)
  for (;;) {
    const end = read.indexOf(newline, 1)
    if (end > 0)
      return { head: ResponseHead.parse(parseJson(read.subarray(1, end))), rest: read.subarray(end + 1) }
    const { done, value } = await reader.read()
    if (done) throw new Error('a response without a head')
    read = Buffer.concat([read, value])
  }
}

/** Tells that a request was taken, before its response can begin. */
export const takenLine = (): Uint8Array<ArrayBuffer> => Uint8Array.of(newline)
