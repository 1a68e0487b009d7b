import type { InternalHttp, InternalRequest } from '../platform/internal-http/internal-http.ts'
import { countMessages, feedMessages, pageMessages } from './fleet-messages.ts'
import { createFeedBuffer, type FeedBuffer, type FeedEvent } from './live-requests.ts'
import type { RequestLog } from './request-log.ts'

interface FleetAnswersOptions {
  readonly requestLog: Pick<RequestLog, 'list' | 'counts' | 'follow'>
  readonly internal: Pick<InternalHttp, 'handle' | 'registry'>
}

/** Answers the other processes about the requests that this one answered, until the function that it returns is called. */
export function answerFleet({ requestLog, internal }: FleetAnswersOptions): () => void {
  const followed = new Set<FeedBuffer>()
  const closed = new AbortController()
  // An event without requests tells whoever follows that this process is still there.
  internal.registry.onBeat(() => followed.forEach((buffer) => buffer.wake()))

  async function* linesFor({ body, signal }: InternalRequest): AsyncGenerator<Uint8Array> {
    const { accountId, filter } = feedMessages.Question.parse(jsonOf(body))
    const buffer = createFeedBuffer()
    const leave = requestLog.follow(accountId, filter, (requests) => buffer.add({ requests, left: 0 }))
    followed.add(buffer)
    buffer.wake()
    try {
      for await (const event of buffer.events(AbortSignal.any([signal, closed.signal]))) yield lineOf(event)
    } finally {
      followed.delete(buffer)
      leave()
    }
  }

  internal.handle(pageMessages.path, async ({ body }) => {
    const { accountId, query } = pageMessages.Question.parse(jsonOf(body))
    return Response.json(await requestLog.list(accountId, query))
  })
  internal.handle(countMessages.path, async ({ body }) => {
    const { accountId, filter, until } = countMessages.Question.parse(jsonOf(body))
    return Response.json(await requestLog.counts(accountId, filter, until))
  })
  internal.handle(feedMessages.path, (request) => new Response(streamOf(linesFor(request))))
  return () => closed.abort()
}

const jsonOf = (body: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(body))

const lineOf = (event: FeedEvent): Uint8Array => new TextEncoder().encode(`${JSON.stringify(event)}\n`)

/** A slow reader is waited for. */
const streamOf = (lines: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { value, done } = await lines.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
