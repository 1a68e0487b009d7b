import { beforeEach, describe, expect, test } from 'bun:test'

import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import * as z from 'zod/mini'

import { ApiKeyInput } from '../../shared/api-keys.ts'
import { faultCodes } from '../../shared/faults.ts'
import { faultStatus } from '../platform/http/faults.ts'
import { createLog } from '../platform/log.ts'
import { fault } from '../platform/fault.ts'
import { errorOf, trpcStatus } from './errors.ts'
import { type CallContext, commandLineContext, operatorProcedure, publicProcedure, router } from './init.ts'
import { serveTrpc } from '../compose/serve-trpc.ts'

const canary = 'canary-9f2c'
const lines: string[] = []
beforeEach(() => void lines.splice(0))

const underTest = router({
  create: operatorProcedure.input(ApiKeyInput).mutation(({ input }) => input.name),
  find: operatorProcedure.input(z.strictObject({ id: z.string() })).query(({ input }) => input.id),
  refuse: publicProcedure.mutation(() => {
    throw fault('conflict', 'There is one already', { detail: canary })
  }),
  fail: publicProcedure.mutation(() => {
    throw new Error(canary)
  }),
  // A schema that fails inside a procedure is a mistake of ours, whatever the caller sent.
  misread: publicProcedure.mutation(() => z.parse(z.number(), canary)),
  tick: publicProcedure.input(z.strictObject({ id: z.string() })).subscription(async function* () {
    yield 1
  }),
})
const log = createLog({ level: 'debug', destination: { write: (line: string) => lines.push(line) } })
const answer = serveTrpc(underTest, log)
const operator = commandLineContext('request-1')
const nobody: CallContext = { ...operator, isOperator: false }

interface Refused {
  status: number
  text: string
  message: string
  data: { code: string; fault?: string; fields?: unknown }
}

async function ask(path: string, init: RequestInit = {}, context = operator): Promise<Refused> {
  const response = await answer(new Request(`http://localhost/trpc/${path}`, init), context)
  const text = await response.text()
  const { error } = JSON.parse(text) as { error: Pick<Refused, 'message' | 'data'> }
  return { status: response.status, text, ...error }
}

const post = (path: string, body: string, context = operator) =>
  ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body }, context)

describe('an input that the schema refuses', () => {
  test('is a 422 with a text for people and the place of each mistake', async () => {
    const input = { permissions: ['admin'], allowedIps: ['192.0.2.1', ''], colour: canary }
    expect(await post('create', JSON.stringify(input))).toMatchObject({
      status: 422,
      message: expect.stringContaining('name: required, expected a text; permissions[0]: expected one of'),
      data: {
        code: 'UNPROCESSABLE_CONTENT',
        fault: 'invalid_request',
        fields: [
          { path: ['name'], message: 'required, expected a text' },
          { path: ['permissions', 0], message: expect.stringContaining('"token_create"') },
          { path: ['allowedIps', 1], message: 'expected at least 1 character' },
          { path: [], message: 'unknown field colour' },
        ],
      },
    })
  })

  test.each([
    'null',
    '5',
    '[]',
    `"${canary}"`,
    `{"name":["${canary}"]}`,
    `{"name":"x","expiresAt":"${canary}"}`,
  ])('%s is never repeated, whichever texts zod has', async (body) => {
    const before = z.config()
    for (const localeError of [undefined, z.locales.en().localeError]) {
      z.config({ localeError })
      const { status, text, data } = await post('create', body)
      expect([status, data.fault]).toEqual([422, 'invalid_request'])
      expect(text).not.toContain(canary)
      expect(text).not.toContain('stack')
    }
    z.config(before)
  })

  test('names that a caller invents are bounded and harmless', async () => {
    const key = `gak_${'a1'.repeat(19)}`
    const { text } = await post('create', JSON.stringify({ name: 'x', [key]: 1, ['x'.repeat(5_000)]: 1 }))
    expect(text).not.toContain(key)
    expect(text.length).toBeLessThan(1_000)
  })

  test('also when it begins a subscription', async () => {
    const response = await answer(new Request('http://localhost/trpc/tick?input=%7B%7D'), operator)
    const events = await response.text()
    expect(events).toContain('"fault":"invalid_request"')
    expect(events).toContain('"fields":[{"path":["id"],"message":"required, expected a text"}]')
  })

  test('is not looked at before who asks', async () => {
    expect((await post('create', '{}', nobody)).status).toBe(403)
    expect((await ask(`find?input=${canary}`, {}, nobody)).status).toBe(403)
  })
})

describe('what tRPC itself refuses', () => {
  test.each([
    ['an input that is no JSON', `find?input=${canary}`, 400, 'The request cannot be read'],
    ['an unknown procedure', `${canary}?input=%7B%7D`, 404, 'There is no such procedure'],
    ['a mutation by GET', `create?input=%7B%22name%22%3A%22${canary}%22%7D`, 405, 'This procedure is called'],
  ])('%s is told without what was sent', async (_title, path, status, message) => {
    const refused = await ask(path)
    expect(refused.status).toBe(status)
    expect(refused.message).toStartWith(message)
    expect(refused.message).not.toContain(canary)
  })
})

describe('what a procedure throws', () => {
  test('a refusal keeps its text, and its detail stays here', async () => {
    const refused = await post('refuse', '{}')
    expect(refused).toMatchObject({
      status: 409,
      message: 'There is one already',
      data: { fault: 'conflict' },
    })
    expect(refused.text).not.toContain(canary)
    expect(refused.data.fields).toBeUndefined()
  })

  test.each(['fail', 'misread'])(
    '%s: anything else is ours, told in one sentence and logged',
    async (path) => {
      const { status, message, text, data } = await post(path, '{}')
      expect([status, message, data.fault]).toEqual([500, 'Something went wrong on our side', undefined])
      expect(text).not.toContain(canary)
      expect(lines.join('\n')).toContain('a procedure failed')
    },
  )
})

describe('the table of errors', () => {
  test('says of every code what tRPC sends', () => {
    for (const [code, status] of Object.entries(trpcStatus)) {
      const error = new TRPCError({ code: code as keyof typeof trpcStatus })
      expect([code, getHTTPStatusCodeFromError(error)]).toEqual([code, status])
    }
  })

  test('every refusal has over tRPC the status that it has over REST, where tRPC has one', () => {
    const others = faultCodes
      .map((code) => [
        code,
        faultStatus[code],
        trpcStatus[errorOf(fault(code, '')).code as keyof typeof trpcStatus],
      ])
      .filter(([, rest, trpc]) => rest !== trpc)
    expect(others).toEqual([
      ['gone', 410, 404],
      ['uri_too_long', 414, 413],
    ])
  })
})
