import type { DocumentDecoration } from 'elysia'
import type * as z from 'zod/mini'

import { fault } from '../platform/fault.ts'
import { describeInvalid } from '../platform/validation-text.ts'

/** What the API's description says of a route whose schemas Elysia does not know. */
export interface RouteSchemas {
  readonly params?: z.ZodMiniType
  readonly response?: Readonly<Record<number, z.ZodMiniType>>
}

const schemas: unique symbol = Symbol('schemas')

/**
 * `detail` of a route that checks its parameters itself, by `readParams`. Elysia makes every route with a zod schema
 * asynchronous, which costs a sixth of the requests that a mere look-up can answer. Other routes declare their schemas.
 */
export const describedBy = (described: RouteSchemas, detail: DocumentDecoration): DocumentDecoration =>
  Object.assign({ ...detail }, { [schemas]: described })

export const schemasIn = (detail: { [schemas]?: RouteSchemas }): RouteSchemas => detail[schemas] ?? {}

/** Path parameters as a schema reads them. Fault: `bad_request`, as when Elysia does it. */
export function readParams<Params>(schema: z.ZodMiniType<Params>, params: unknown): Params {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  throw fault('bad_request', describeInvalid(schema, params, 'params'))
}
