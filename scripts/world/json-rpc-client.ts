import * as z from 'zod/mini'

const Answer = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.nullable(z.object({ code: z.number(), message: z.string() }))),
})

/**
 * Calls one method of a node of the test world. `isAnew`: over a connection of its own, which the kernel deals to any of
 * several workers. Throws when the node does not answer or answers with an error.
 */
export async function callNode(
  url: string,
  method: string,
  params: unknown[] = [],
  isAnew = false,
): Promise<unknown> {
  const address = new URL(url)
  const headers = new Headers({ 'content-type': 'application/json', ...(isAnew && { connection: 'close' }) })
  if (address.username) {
    headers.set('authorization', `Basic ${btoa(`${address.username}:${address.password}`)}`)
    address.username = ''
    address.password = ''
  }
  const response = await fetch(address, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    keepalive: !isAnew,
  })
  const answer = Answer.parse(await response.json())
  if (answer.error) throw new Error(`${method}: ${answer.error.code} ${answer.error.message}`)
  return answer.result
}
