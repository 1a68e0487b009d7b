import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createEgress } from '../../platform/egress.ts'
import { systemClock } from '../../platform/clock.ts'
import type { BearerAccess } from './credential.ts'
import { createSender } from './sender.ts'

/** A tool server that takes one token, and notes what it is shown. */
const shown: (string | null)[] = []
const egress = createEgress({ clock: systemClock, allowPrivate: ['127.0.0.0/8'], schemes: ['http'] })
let server: ReturnType<typeof Bun.serve>

beforeAll(() => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ headers }) {
      shown.push(headers.get('authorization'))
      return new Response(null, { status: headers.get('authorization') === 'Bearer second' ? 202 : 401 })
    },
  })
})
afterAll(async () => {
  egress.close()
  await server.stop(true)
})

test('what nobody waits for shows the token that was shown last, and renews none', async () => {
  const tokens = ['third', 'second', 'first']
  const next = async () => tokens.pop() ?? 'none'
  const bearer: BearerAccess = { current: next, after: next, last: () => null, lacks: async () => false }
  const { send, sendAsBefore } = createSender({
    fetch: egress.fetch,
    credential: null,
    bearer,
    onToken: () => undefined,
  })
  const sent = { url: server.url, headers: {}, body: null, signal: new AbortController().signal }
  expect((await send({ ...sent, method: 'POST' })).status).toBe(202)
  expect((await sendAsBefore({ ...sent, method: 'DELETE' })).status).toBe(202)
  expect(shown).toEqual(['Bearer first', 'Bearer second', 'Bearer second'])
})
