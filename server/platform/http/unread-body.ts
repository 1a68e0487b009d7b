import { requestLimits } from './request-limits.ts'

/** The most that is read of a body that nobody wants. */
const mostBytes = 4 * requestLimits.anyBodyBytes
const mostMs = 10_000

/** Statuses from here on are refusals, which may come before the body. */
const firstRefusal = 400

/**
 * Returns the answer to a request, a refusal once the caller can read it. Most clients send the whole body before they look
 * at the answer, and one whose connection is closed meanwhile sees a broken pipe in its place. Of a connection that stays open
 * Bun drops the rest of a body, for about 10 s, and the answer need not wait. One that its client wants closed is closed
 * with the answer: there the rest is read first, and dropped, within bounds.
 */
export function afterBody(request: Request, answer: Response): Response | Promise<Response> {
  if (answer.status < firstRefusal) return answer
  if (request.headers.get('connection')?.toLowerCase() !== 'close') return answer
  const { body } = request
  return body === null || body.locked ? answer : dropBody(body).then(() => answer)
}

async function dropBody(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  // What is waited for then ends as a body does that is complete, and as one that was cut off otherwise.
  const timer = setTimeout(() => reader.releaseLock(), mostMs)
  try {
    for (let length = 0; length < mostBytes;) {
      const { done, value } = await reader.read()
      if (done) return
      length += value.length
    }
  } catch {
    return // The caller is gone, or has taken too long.
  } finally {
    clearTimeout(timer)
  }
}
