import { afterEach, expect, spyOn, test } from 'bun:test'

import { BareAnswer, fetchAnswer } from './bare-answer.ts'

const fetched = spyOn(globalThis, 'fetch')
afterEach(() => void fetched.mockReset())

/** What becomes of an answer of this status and body. */
async function endOf(status: number, body: object | string): Promise<unknown> {
  const answer = typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status })
  fetched.mockResolvedValue(answer)
  return fetchAnswer('http://server.example/trpc').catch((error: unknown) => error)
}

test('what the server says before it looks at the call is told as it stands', async () => {
  const refused = await endOf(403, {
    error: { code: 'forbidden', message: 'Only pages of https://own.example' },
  })
  expect(refused).toBeInstanceOf(BareAnswer)
  expect(refused).toMatchObject({ status: 403, said: 'Only pages of https://own.example' })
})

test('a page of a proxy says nothing that is told', async () => {
  expect(await endOf(502, '<html>Bad gateway</html>')).toMatchObject({ status: 502, said: null })
})

test.each([
  [{ error: { code: -32_009, message: 'taken', data: { code: 'CONFLICT' } } }],
  [[{ error: { code: -32_009, message: 'taken', data: { code: 'CONFLICT' } } }]],
  [{ status: 'odd' }],
])('the refusal of a procedure is left as it is: %j', async (body) => {
  const answer = await endOf(409, body)
  expect(answer).toBeInstanceOf(Response)
  expect(answer instanceof Response && (await answer.json())).toEqual(body)
})
