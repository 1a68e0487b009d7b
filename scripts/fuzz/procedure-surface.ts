import * as z from 'zod'

import { isFields } from '../../shared/fields.ts'
import { type AppRouter, createRouter } from '../../server/compose/router.ts'
import { trpcStatus } from '../../server/trpc/errors.ts'
import { hostileText, mutated } from './hostile-values.ts'
import type { Random } from './random.ts'
import { createSchemaValues } from './schema-values.ts'
import {
  type Credentials,
  type FuzzAnswer,
  type SentRequest,
  type Surface,
  callers,
  isByServer,
  neverAllowed,
  parsed,
  plantedSecret,
} from './sent.ts'

interface Procedure {
  readonly name: string
  readonly kind: 'query' | 'mutation' | 'subscription'
  /** Null: it takes nothing. */
  readonly make: (() => unknown) | null
}

/** Every procedure of the console, found in the router itself. */
export function createProcedureSurface(
  random: Random,
  credentials: Credentials,
  knownIds: () => readonly string[],
): Surface {
  const procedures = proceduresOf(routerAlone(), (schema) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
    const values = createSchemaValues(random, json, knownIds)
    return () => values.of(json)
  })

  function inputOf({ make }: Procedure): string {
    if (make === null) return random.chance(0.9) ? '' : JSON.stringify({ more: plantedSecret })
    const value = make()
    const text =
      JSON.stringify(random.chance(0.35) ? value : mutated(value, random, () => plantedSecret)) ?? ''
    return random.chance(0.03) ? text.slice(0, random.below(text.length + 1)) : text
  }

  function requestOf(procedure: Procedure): Pick<SentRequest, 'method' | 'path' | 'body'> {
    const input = inputOf(procedure)
    const isPost = random.chance(0.02) !== (procedure.kind === 'mutation')
    const path = `/trpc/${procedure.name}`
    if (isPost) return { method: 'POST', path, body: input }
    return {
      method: 'GET',
      path: input === '' ? path : `${path}?input=${encodeURIComponent(input.toWellFormed())}`,
      body: null,
    }
  }

  return {
    name: 'trpc',
    make() {
      const by = random.pick(callers)
      const procedure = random.pick(procedures)
      const contentType = random.chance(0.98)
        ? 'application/json'
        : hostileText(random).replaceAll(/[^\x21-\x7e]/g, '')
      return {
        target: procedure.name,
        by,
        headers: { ...credentials.cookieHeaders(by), 'content-type': contentType.slice(0, 100) },
        ...requestOf(procedure),
      }
    },
    judge: (_sent, received) => neverAllowed(received, false) ?? judge(received),
  }
}

/** Only the shape of its procedures is wanted: nothing is called, so the domains behind them may be anything. */
function routerAlone(): AppRouter {
  const anything: object = new Proxy(() => anything, { get: () => anything })
  const router: AppRouter = Reflect.apply(createRouter, undefined, [anything])
  return router
}

function proceduresOf(router: AppRouter, makerOf: (schema: z.core.$ZodType) => () => unknown): Procedure[] {
  return Object.entries<unknown>(router._def.procedures).map(([name, procedure]) => {
    const definition: unknown = Reflect.get(Object(procedure), '_def')
    const { type, inputs }: Readonly<Record<string, unknown>> = isFields(definition) ? definition : {}
    const input: unknown = Array.isArray(inputs) ? inputs.at(-1) : undefined
    return { name, kind: kindOf(type), make: isSchema(input) ? makerOf(input) : null }
  })
}

const kindOf = (type: unknown): Procedure['kind'] =>
  type === 'mutation' || type === 'subscription' ? type : 'query'

const isSchema = (value: unknown): value is z.core.$ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value

/** What is refused before tRPC is reached has the form of every other refusal. */
const RefusedBefore = z.strictObject({ error: z.strictObject({ code: z.string(), message: z.string() }) })

const Failure = z.strictObject({
  message: z.string(),
  code: z.number(),
  data: z.strictObject({
    code: z.string(),
    httpStatus: z.number(),
    path: z.optional(z.string()),
    fault: z.optional(z.string()),
    fields: z.optional(z.array(z.strictObject({ path: z.array(z.unknown()), message: z.string() }))),
  }),
})
const Refused = z.strictObject({ error: Failure })

function judge(received: FuzzAnswer): string | null {
  const { status, headers, text } = received
  if (isByServer(received)) return null
  if (headers.get('content-type') === 'text/event-stream') return judgeStream(text)
  const body = parsed(text)
  if (status === 200) return isFields(body) && 'result' in body ? null : 'a 200 without a result'
  const refused = Refused.safeParse(body)
  if (!refused.success) {
    return RefusedBefore.safeParse(body).success ? null : `a refusal of ${status} that has neither form`
  }
  const { code, httpStatus } = refused.data.error.data
  const declared = new Map<string, number>(Object.entries(trpcStatus)).get(code)
  if (declared === undefined) return `the undeclared code ${code}`
  return declared === status && httpStatus === status ? null : `${code} with the status ${status}`
}

/** A subscription fails inside its stream. */
function judgeStream(text: string): string | null {
  const data = /event: serialized-error\ndata: (.+)\n/.exec(text)?.[1]
  const failure = Failure.safeParse(parsed(data ?? ''))
  if (!failure.success) return 'a stream that does not say why it ended'
  return failure.data.data.code in trpcStatus ? null : `the undeclared code ${failure.data.data.code}`
}
