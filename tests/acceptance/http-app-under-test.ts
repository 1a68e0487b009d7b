import { type AnyElysia, Elysia } from 'elysia'
import * as z from 'zod/mini'

import { createHttpApp } from '../../server/http/app.ts'
import type { ByteLimit } from '../../server/http/byte-limit.ts'
import { parseTrustedProxies } from '../../server/platform/http/caller.ts'
import { jsonBody, readRawBody } from '../../server/platform/http/request-body.ts'
import { callerOf } from '../../server/platform/http/request-facts.ts'
import { openToAllSites } from '../../server/platform/http/response-headers.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { fault } from '../../server/platform/fault.ts'
import { createLog } from '../../server/platform/log.ts'
import { createMetrics } from '../../server/platform/metrics.ts'
import { ErrorResponse } from '../../shared/faults.ts'
import { loopbackHosts, noProxies } from '../support/loopback-hosts.ts'

const AnimalName = z.string().check(z.regex(/^[a-z]{1,20}$/, '1 to 20 lowercase letters'))

const Animal = z
  .strictObject({
    name: AnimalName,
    legs: z._default(z.int().check(z.minimum(0), z.maximum(1_000)), 4),
  })
  .check(z.meta({ id: 'Animal' }))
type Animal = z.infer<typeof Animal>

/** How a domain's `routes.ts` looks: schema in, front door, schema out; refusals are thrown as faults. */
export function animalRoutes(animals: Map<string, Animal>) {
  return new Elysia({ name: 'animals' })
    .get(
      '/animals/:name',
      ({ params: { name } }) => {
        const animal = animals.get(name)
        if (animal === undefined) throw fault('not_found', `No animal is called ${name}`)
        return animal
      },
      {
        params: z.object({ name: AnimalName }),
        response: { 200: Animal, 404: ErrorResponse },
        detail: { operationId: 'getAnimal', summary: 'One animal', tags: ['Animals'] },
      },
    )
    .get('/animals', () => Response.json([...animals.values()], { headers: openToAllSites }), {
      query: z.strictObject({ limit: z.optional(z.coerce.number().check(z.minimum(1), z.maximum(10))) }),
      response: { 200: z.array(Animal), 422: ErrorResponse },
      detail: { operationId: 'listAnimals', summary: 'All animals', tags: ['Animals'] },
    })
    .post(
      '/animals',
      ({ body, set }) => {
        if (animals.has(body.name)) throw fault('conflict', 'There is an animal of this name')
        animals.set(body.name, body)
        set.status = 201
        return body
      },
      {
        parse: jsonBody({ maxBytes: 10_000 }),
        body: Animal,
        response: { 201: Animal, 409: ErrorResponse, 422: ErrorResponse },
        detail: { operationId: 'addAnimal', summary: 'Add an animal', tags: ['Animals'] },
      },
    )
    .post(
      '/animals/photo',
      async ({ request }) => {
        const { sent, content } = await readRawBody(request, 100_000)
        return { sent: sent.length, content: content.length }
      },
      { parse: 'none' },
    )
}

/** Routes that misbehave, and one that tells what the app knows of a request. */
function oddRoutes() {
  return new Elysia({ name: 'odd' })
    .get('/odd/throws', () => {
      throw new Error('canary-in-exception')
    })
    .get('/odd/wrong-answer', () => JSON.parse('{"never":1}'), { response: z.object({ never: z.string() }) })
    .get('/odd/busy', () => {
      throw fault('rate_limited', 'Slower, please', {
        retryAfterSec: 1.2,
        headers: { ratelimit: '"rate";r=0;t=2' },
      })
    })
    .get('/odd/caller', ({ request }) => callerOf(request))
    .get('/odd/redirect', () => Response.redirect('/animals', 302))
    .get('/odd/stream', () => {
      const words = ['a', 'b']
      return new ReadableStream({
        pull: (controller) => {
          const word = words.shift()
          if (word === undefined) controller.close()
          else controller.enqueue(word)
        },
      })
    })
}

interface AppUnderTest {
  plugins?: AnyElysia[]
  isTls?: boolean
  reads?: ByteLimit
  readiness?: Parameters<typeof createHttpApp>[0]['readiness']
  trusted?: readonly string[]
}

/** A whole app with real parts; `lines` collects its log. */
export function appUnderTest({
  plugins = [],
  isTls = false,
  reads,
  readiness = () => ({}),
  trusted = ['127.0.0.1'],
}: AppUnderTest = {}) {
  const lines: string[] = []
  const metrics = createMetrics()
  const app = createHttpApp({
    plugins: [animalRoutes(new Map([['cat', { name: 'cat', legs: 4 }]])), oddRoutes(), ...plugins],
    log: createLog({ level: 'debug', destination: { write: (line: string) => lines.push(line) } }),
    metrics,
    clock: systemClock,
    trustedProxies: parseTrustedProxies(trusted),
    ownHosts: loopbackHosts,
    unnamedProxies: noProxies,
    readiness,
    metricsToken: 'metrics-token',
    ...(reads && { reads }),
    isTls,
  })
  return { app, lines, metrics }
}

/** Asks in process, as if from `peer`. */
export async function ask(
  { app }: Pick<ReturnType<typeof appUnderTest>, 'app'>,
  path: string,
  init: RequestInit = {},
  peer: string | null = '198.51.100.7',
) {
  const connections = {
    requestIP: () => (peer === null ? null : { address: peer }),
    timeout: () => {},
    upgrade: () => false,
  }
  const response = await app.fetch(new Request(`http://localhost${path}`, init), connections)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}
