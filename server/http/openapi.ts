import { STATUS_CODES } from 'node:http'

import { isFields } from '../../shared/fields.ts'
import { ErrorResponse } from '../../shared/faults.ts'
import { isZodSchema } from '../platform/http/faults.ts'
import { commonRefusals, withoutBody } from './common-refusals.ts'
import { type JsonObject, type SchemaUse, createSchemaCollector } from './openapi-schemas.ts'
import type { MountedRoute } from './route-rules.ts'

/** What the `security` of a route's `detail` may name: `security: [{ apiKey: [] }]`. */
const securitySchemes = { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key' } }

interface OpenApiOptions {
  title: string
  version: string
  description: string
}

/**
 * An OpenAPI 3.0.3 document (the version that the specification names) of all routes with an `operationId`, from the
 * same zod schemas that validate their requests. A route that reads its headers or its body itself, without validation by
 * the router, has their schemas in `detail.reads`.
 */
export function openApiDocument(routes: readonly MountedRoute[], info: OpenApiOptions): JsonObject {
  const schemas = createSchemaCollector()
  const paths: Record<string, JsonObject> = {}
  for (const { method, path, hooks } of routes) {
    const detail = isFields(hooks.detail) ? hooks.detail : {}
    if (typeof detail.operationId !== 'string' || method === 'ALL') continue
    const item = (paths[pathTemplate(path)] ??= {})
    item[method.toLowerCase()] = operation(hooks, detail, schemas.use)
  }
  return schemas.resolve({
    openapi: '3.0.3',
    info,
    paths,
    components: { schemas: schemas.components, securitySchemes },
  })
}

const pathTemplate = (path: string) => path.replaceAll(/:(\w+)\??/g, '{$1}')

function operation(hooks: MountedRoute['hooks'], detail: JsonObject, use: SchemaUse): JsonObject {
  const { reads, ...told } = detail
  const { headers, body } = { ...hooks, ...(isFields(reads) && reads) }
  const parameters = [
    ...parametersIn('path', hooks.params, use),
    ...parametersIn('query', hooks.query, use),
    ...parametersIn('header', headers, use),
  ]
  return {
    ...told,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isZodSchema(body) ? { requestBody: { required: true, content: json(use(body, 'input')) } } : {}),
    responses: [responses(hooks.response, use), isFields(detail.responses) ? detail.responses : {}].reduce(
      merged,
      refused(hooks, detail, use),
    ),
  }
}

function parametersIn(place: 'path' | 'query' | 'header', schema: unknown, use: SchemaUse): JsonObject[] {
  if (!isZodSchema(schema)) return []
  const { properties, required } = use.inline(schema, 'input')
  if (!isFields(properties)) return []
  const requiredNames: unknown[] = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, property]) =>
    parameter(name, place, place === 'path' || requiredNames.includes(name), property),
  )
}

/** Description and example stand beside the schema here, not in it. */
function parameter(name: string, place: string, required: boolean, property: unknown): JsonObject {
  const { description, example, ...schema } = isFields(property) ? property : {}
  const described: JsonObject = { name, in: place, required, schema }
  if (description !== undefined) described.description = description
  if (example !== undefined) described.example = example
  return described
}

function responses(declared: unknown, use: SchemaUse): JsonObject {
  const byStatus = isZodSchema(declared) ? { 200: declared } : isFields(declared) ? declared : {}
  const described: JsonObject = {}
  for (const [status, schema] of Object.entries(byStatus)) {
    if (!isZodSchema(schema)) continue
    described[status] = {
      description: STATUS_CODES[status] ?? 'Other',
      content: json(use(schema, 'output')),
    }
  }
  return described
}

/** What every route of this kind can be refused with. */
function refused(hooks: MountedRoute['hooks'], detail: JsonObject, use: SchemaUse): JsonObject {
  const common = commonRefusals({
    needsKey: Array.isArray(detail.security) && detail.security.length > 0,
    hasBody: isZodSchema(hooks.body),
    hasFields: isZodSchema(hooks.query) || isZodSchema(hooks.headers),
  })
  const content = json(use(ErrorResponse, 'output'))
  return Object.fromEntries(
    Object.entries(common).map(([status, description]) => [
      status,
      { description, ...(!withoutBody.has(status) && { content }) },
    ]),
  )
}

/** What a route says of its answers itself comes on top of what their schemas say. */
function merged(base: JsonObject, added: JsonObject): JsonObject {
  const result = { ...base }
  for (const [name, value] of Object.entries(added)) {
    const known = result[name]
    result[name] = isFields(known) && isFields(value) ? merged(known, value) : value
  }
  return result
}

const json = (schema: JsonObject) => ({ 'application/json': { schema } })
