import { afterAll, afterEach, expect, spyOn, test } from 'bun:test'
import { type EffectScope, effectScope } from 'vue'

import { idempotencyHeader } from '../shared/idempotency.ts'
import { useSentChange } from './sent-change.ts'
import { trpc } from './trpc.ts'

let end: 'done' | 'refused' | 'lost' | 'gateway'
const keys: (string | null)[] = []
const batches: string[] = []

const answers = {
  done: () => Response.json([{ result: { data: {} } }]),
  refused: () =>
    Response.json([{ error: { message: 'taken', code: -32_009, data: { code: 'CONFLICT' } } }], {
      status: 409,
    }),
  lost: () => {
    throw new TypeError('Failed to fetch')
  },
  gateway: () => new Response('Bad Gateway', { status: 502 }),
}
const network = spyOn(globalThis, 'fetch').mockImplementation(
  Object.assign(
    async (address: unknown, init?: RequestInit) => {
      batches.push(String(address))
      keys.push(new Headers(init?.headers).get(idempotencyHeader))
      return answers[end]()
    },
    { preconnect: () => undefined },
  ),
)

afterAll(() => network.mockRestore())

const forms: EffectScope[] = []
function openForm() {
  const form = effectScope()
  forms.push(form)
  const isUnanswered = form.run(useSentChange)
  if (isUnanswered === undefined) throw new TypeError('the form did not open')
  return { isUnanswered, close: () => form.stop() }
}

afterEach(() => {
  for (const form of forms.splice(0)) form.stop()
  keys.length = 0
  batches.length = 0
})

/** Sends it, and returns the key under which it went. */
async function send(how: typeof end, name = 'one'): Promise<string | null | undefined> {
  end = how
  await trpc.teams.create.mutate({ name }).catch(() => undefined)
  return keys.at(-1)
}

test.each(['lost', 'gateway'] as const)(
  'what is sent again as it is after a %s answer has the same key, and a new one once it was done',
  async (how) => {
    const { isUnanswered } = openForm()
    const first = await send(how)
    expect(first).toBeString()
    expect(isUnanswered.value).toBe(true)
    expect(await send('refused')).toBe(first)
    expect(isUnanswered.value).toBe(false)
    expect(await send(how)).toBe(first)
    expect(await send('done')).toBe(first)
    expect(isUnanswered.value).toBe(false)
    expect(await send('done')).not.toBe(first)
  },
)

test('another content, and a form that was opened anew, have other keys', async () => {
  const { isUnanswered, close } = openForm()
  const sent = [await send('lost'), await send('lost', 'two'), await send('lost')]
  close()
  expect(isUnanswered.value).toBe(false)
  openForm()
  sent.push(await send('lost'))
  expect(new Set(sent).size).toBe(4)
})

test('outside forms nothing has a key, and what has one goes alone', async () => {
  expect(await send('done')).toBeNull()
  openForm()
  keys.length = 0
  batches.length = 0
  end = 'done'
  await Promise.all(['one', 'two'].map((name) => trpc.teams.create.mutate({ name })))
  expect(batches).toHaveLength(2)
  expect(new Set(keys).size).toBe(2)
})
