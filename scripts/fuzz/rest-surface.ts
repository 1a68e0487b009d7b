import * as z from 'zod'

import { isFields } from '../../shared/fields.ts'
import { hostileText, mutated } from './hostile-values.ts'
import type { Random } from './random.ts'
import { type JsonSchema, createSchemaValues, withoutReferences } from './schema-values.ts'
import {
  type FuzzCaller,
  type Credentials,
  type FuzzAnswer,
  type Surface,
  callers,
  isByServer,
  neverAllowed,
  parsed,
  plantedSecret,
} from './sent.ts'

interface Operation {
  readonly method: string
  readonly template: string
  readonly parameters: readonly JsonSchema[]
  readonly body: unknown
  /** By status; null: an answer without JSON. */
  readonly answers: ReadonlyMap<string, z.ZodType | null>
}

const changingMethods = ['PUT', 'PATCH', 'DELETE'] as const

/** Every operation of an OpenAPI 3.0 document. */
export function createRestSurface(
  document: JsonSchema,
  random: Random,
  credentials: Credentials,
  knownIds: () => readonly string[],
): Surface {
  const operations = operationsOf(document)
  const byName = new Map(operations.map((operation) => [nameOf(operation), operation]))
  const values = createSchemaValues(random, document, knownIds)
  const hostile = (value: unknown): unknown =>
    random.chance(0.4) ? value : mutated(value, random, () => plantedSecret)

  function pathOf({ template, parameters }: Operation): string {
    const path = template.replaceAll(/\{\w+\}/g, () =>
      encoded(textOf(hostile(values.of({ type: 'string' }))) || 'x'),
    )
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && random.chance(0.4))
      .map((parameter) => [String(parameter.name), textOf(hostile(values.of(parameter.schema)))])
    if (random.chance(0.05)) query.push([encoded(hostileText(random)), plantedSecret])
    return query.length === 0
      ? path
      : `${path}?${query.map(([name = '', value = '']) => `${name}=${encoded(value)}`).join('&')}`
  }

  function headersOf({ parameters, body }: Operation, by: FuzzCaller): Record<string, string> {
    const headers: Record<string, string> = random.chance(0.05)
      ? { authorization: `Bearer gak_${plantedSecret}` }
      : credentials.keyHeaders(by)
    for (const { in: place, name, schema } of parameters) {
      if (place !== 'header' || random.chance(0.6)) continue
      headers[String(name)] = visible(textOf(hostile(values.of(schema))))
    }
    if (random.chance(0.05)) headers['if-none-match'] = random.pick(['*', '""', 'W/"x"', '"'])
    if (body !== null) {
      headers['content-type'] = random.chance(0.95)
        ? 'application/json'
        : random.pick(['text/plain', 'application/json; charset=latin1', 'multipart/form-data', ''])
    }
    return headers
  }

  function bodyOf({ body, method }: Operation): string | null {
    if (method === 'GET') return null
    const text = JSON.stringify(hostile(values.of(body ?? {}))) ?? ''
    return random.chance(0.05) ? text.slice(0, random.below(text.length + 1)) : text
  }

  return {
    name: 'rest',
    make() {
      const operation = random.pick(operations)
      const by = random.pick(callers)
      const others = changingMethods.filter(
        (method) => !byName.has(nameOf({ method, template: operation.template })),
      )
      const isOther = random.chance(0.02)
      return {
        target: nameOf(operation),
        by,
        method: isOther ? random.pick(others) : operation.method,
        path: pathOf(operation),
        headers: headersOf(operation, by),
        body: isOther ? null : bodyOf(operation),
      }
    },
    judge(sent, received) {
      const operation = byName.get(sent.target)
      if (operation === undefined) return 'no such operation'
      const never = neverAllowed(received, false)
      if (never !== null) return never
      return sent.method === operation.method
        ? judgeDeclared(operation, received)
        : judgeOtherMethod(received)
    },
  }
}

const nameOf = ({ method, template }: Pick<Operation, 'method' | 'template'>): string =>
  `${method} ${template}`

function operationsOf(document: JsonSchema): Operation[] {
  const paths = isFields(document.paths) ? Object.entries(document.paths) : []
  return paths.flatMap(([template, item]) =>
    Object.entries(isFields(item) ? item : {}).flatMap(([method, operation]) =>
      isFields(operation) ? [operationOf(method.toUpperCase(), template, operation, document)] : [],
    ),
  )
}

function operationOf(
  method: string,
  template: string,
  operation: JsonSchema,
  document: JsonSchema,
): Operation {
  const responses = isFields(operation.responses) ? Object.entries(operation.responses) : []
  return {
    method,
    template,
    parameters: Array.isArray(operation.parameters) ? operation.parameters.filter(isFields) : [],
    body: jsonSchemaIn(operation.requestBody) ?? null,
    answers: new Map(
      responses.map(([status, response]) => [status, checkOf(jsonSchemaIn(response), document)]),
    ),
  }
}

function jsonSchemaIn(described: unknown): unknown {
  const content = isFields(described) ? described.content : undefined
  const json = isFields(content) ? content['application/json'] : undefined
  return isFields(json) ? json.schema : undefined
}

function checkOf(schema: unknown, document: JsonSchema): z.ZodType | null {
  const whole = withoutReferences(schema, document)
  return isFields(whole) ? z.fromJSONSchema(whole, { defaultTarget: 'openapi-3.0' }) : null
}

function judgeDeclared({ answers }: Operation, { status, headers, text }: FuzzAnswer): string | null {
  const check = answers.get(String(status))
  if (check === undefined) return `undeclared status ${status}`
  if (check === null) return text === '' ? null : 'a body where none is declared'
  if (!(headers.get('content-type') ?? '').startsWith('application/json')) return `${status} that is no JSON`
  const found = check.safeParse(parsed(text))
  return found.success
    ? null
    : `a body of ${status} that is not as declared: ${found.error.issues[0]?.message ?? ''}`
}

const refusedMethods = new Set([400, 404, 405, 413, 414])

function judgeOtherMethod(received: FuzzAnswer): string | null {
  const { status, headers, text } = received
  if (isByServer(received)) return null
  if (!refusedMethods.has(status)) return `${status} for a method that the address does not have`
  if (status === 405 && !headers.has('allow')) return '405 without Allow'
  return isFields(parsed(text)) ? null : 'a refusal that is no JSON'
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Percent-encoded; half of a surrogate pair as the bytes that no UTF-8 may hold. */
const encoded = (text: string): string =>
  text.isWellFormed()
    ? encodeURIComponent(text).replaceAll('.', '%2E')
    : `${encodeURIComponent(text.toWellFormed())}%ED%A0%80`

/** Header values that `fetch` sends at all. */
const visible = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 4_000)
