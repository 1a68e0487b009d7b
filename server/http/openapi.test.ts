import { expect, test } from 'bun:test'

import { Validator } from '@seriousme/openapi-schema-validator'
import * as z from 'zod/mini'

import { AdminListQuery } from '../../shared/admin-resources.ts'
import { ErrorResponse } from '../../shared/faults.ts'
import { HealthResponse, ServiceId, ServiceSpec } from '../../shared/health.ts'
import { ReportBatch } from '../../shared/verifier-protocol.ts'
import { openApiDocument } from './openapi.ts'

const described = { title: 'Global Health API', version: '1.0.0', description: 'Test' }

const Limits = z
  .object({ rate: z._default(z.int(), 5), note: z.nullable(z.string()) })
  .check(z.meta({ id: 'Limits' }))
const Nullables = z
  .object({
    period: z.nullable(z.enum(['hour', 'day'])),
    limits: z.nullable(Limits),
    either: z.nullable(z.union([z.string(), z.number()])),
    text: z.nullable(z.string()),
  })
  .check(z.meta({ id: 'Nullables' }))
const Key = z.object({ name: z.string(), limits: Limits }).check(z.meta({ id: 'Key' }))

const routes = [
  {
    method: 'GET',
    path: '/health/:serviceId',
    hooks: {
      params: z.object({ serviceId: ServiceId }),
      query: z.object({
        verbose: z.optional(z.enum(['yes', 'no'])),
        limit: z._default(z.coerce.number(), 10),
      }),
      response: { 200: HealthResponse, 500: ErrorResponse },
      detail: {
        operationId: 'getServiceHealth',
        summary: 'Health decision of one service',
        tags: ['Health'],
      },
    },
  },
  {
    method: 'POST',
    path: '/keys',
    hooks: { body: z.array(Key), response: z.array(Key), detail: { operationId: 'createKeys' } },
  },
  { method: 'POST', path: '/services', hooks: { body: ServiceSpec, detail: { operationId: 'addService' } } },
  { method: 'POST', path: '/reports', hooks: { body: ReportBatch, detail: { operationId: 'report' } } },
  {
    method: 'POST',
    path: '/signed',
    hooks: {
      response: Nullables,
      detail: {
        operationId: 'postSigned',
        reads: { headers: z.object({ 'x-signature': z.string() }), body: Key },
      },
    },
  },
  {
    method: 'POST',
    path: '/files',
    hooks: {
      body: z.object({ content: z.base64() }),
      response: Nullables,
      detail: { operationId: 'upload' },
    },
  },
  { method: 'GET', path: '/hidden', hooks: { detail: { summary: 'no operation id' } } },
  { method: 'GET', path: '/bare', hooks: {} },
]

// As a client sees it.
const document = JSON.parse(JSON.stringify(openApiDocument(routes, described)))

test('an outside validator finds nothing', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
  expect(validator.version).toBe('3.0')
})

test('what a route reads itself is described like what the router validates', () => {
  const { post } = document.paths['/signed']
  expect(post).not.toHaveProperty('reads')
  expect(post.parameters).toEqual([
    { name: 'x-signature', in: 'header', required: true, schema: { type: 'string' } },
  ])
  expect(post.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/KeyInput',
  })
})

test('base64 is told by the format of OpenAPI 3.0', () => {
  const { schema } = document.paths['/files'].post.requestBody.content['application/json']
  expect(schema.properties.content).toEqual({
    type: 'string',
    format: 'byte',
    pattern: expect.any(String),
  })
})

test('the health operation is as the specification describes it', () => {
  expect(document.openapi).toBe('3.0.3')
  expect(document.info).toMatchObject({ title: 'Global Health API', version: '1.0.0' })
  const operation = document.paths['/health/{serviceId}'].get
  expect(operation.operationId).toBe('getServiceHealth')
  expect(operation.parameters[0]).toMatchObject({
    name: 'serviceId',
    in: 'path',
    required: true,
    description: 'the service identifier to query',
    schema: { type: 'string' },
  })
  expect(operation.responses['200'].content['application/json'].schema.$ref).toBe(
    '#/components/schemas/HealthResponse',
  )
  expect(operation.responses['500'].content['application/json'].schema.$ref).toBe(
    '#/components/schemas/ErrorResponse',
  )
  expect(document.components.schemas.Decision).toEqual({
    type: 'string',
    enum: ['UNKNOWN', 'UP', 'DOWN', 'LATENCY'],
  })
  expect(document.components.schemas.HealthResult).toEqual({
    type: 'object',
    required: ['serviceId', 'decision', 'liveVerifiers', 'avgBlocksLatency', 'avgTimeLatency', 'timestamp'],
    properties: {
      serviceId: { type: 'string', description: 'echoes the requested service identifier' },
      decision: { $ref: '#/components/schemas/Decision' },
      liveVerifiers: {
        type: 'integer',
        format: 'int32',
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'number of verifiers currently reporting',
      },
      avgBlocksLatency: {
        type: 'integer',
        format: 'int64',
        minimum: 0,
        description: 'average block lag, in blocks',
      },
      avgTimeLatency: {
        type: 'integer',
        format: 'int64',
        minimum: 0,
        description: 'average time lag, in seconds',
      },
      timestamp: { type: 'integer', format: 'int64', description: 'Unix timestamp in seconds' },
    },
  })
})

test('a schema with defaults is two components, and so is one that holds it', () => {
  const { schemas } = document.components
  expect(schemas.LimitsInput.required).toEqual(['note'])
  expect(schemas.Limits.required).toEqual(['rate', 'note'])
  expect(schemas.KeyInput.properties.limits.$ref).toBe('#/components/schemas/LimitsInput')
  expect(schemas.Key.properties.limits.$ref).toBe('#/components/schemas/Limits')
  expect(schemas.ErrorResponseInput).toBeUndefined()
  const { requestBody, responses } = document.paths['/keys'].post
  expect(requestBody.content['application/json'].schema.items.$ref).toBe('#/components/schemas/KeyInput')
  expect(responses['200'].content['application/json'].schema.items.$ref).toBe('#/components/schemas/Key')
})

test('query parameters say whether they are required', () => {
  const [, verbose, limit] = document.paths['/health/{serviceId}'].get.parameters
  expect(verbose).toMatchObject({ name: 'verbose', in: 'query', required: false })
  expect(limit).toMatchObject({ name: 'limit', in: 'query', required: false, schema: { default: 10 } })
})

test('routes without an operation id are not listed', () => {
  expect(Object.keys(document.paths)).toEqual([
    '/health/{serviceId}',
    '/keys',
    '/services',
    '/reports',
    '/signed',
    '/files',
  ])
})

test('what every route of a kind can be refused with is declared without being said by the route', () => {
  const statusesOf = (path: string, method: string) => Object.keys(document.paths[path][method].responses)
  expect(statusesOf('/health/{serviceId}', 'get')).toEqual([
    '200',
    '400',
    '413',
    '414',
    '422',
    '431',
    '500',
    '503',
  ])
  expect(statusesOf('/keys', 'post')).toEqual(['200', '400', '413', '414', '415', '422', '431', '500', '503'])
  const { responses } = document.paths['/services'].post
  expect(responses['415'].content['application/json'].schema.$ref).toBe('#/components/schemas/ErrorResponse')
  expect(responses['431'].content).toBeUndefined()
})

test('a route with a key declares what the check of keys refuses', () => {
  const guarded = { operationId: 'guarded', security: [{ apiKey: [] }] }
  const one = openApiDocument([{ method: 'GET', path: '/one', hooks: { detail: guarded } }], described)
  expect(JSON.stringify(one)).toMatch(/"401":.*"403":.*"429":/)
})

test('two schemas of one name are refused', () => {
  const longer = z.extend(Key, { at: z.int() })
  const hooks = { response: longer, detail: { operationId: 'getLonger' } }
  const longerRoute = { method: 'GET', path: '/longer', hooks }
  expect(() => openApiDocument([...routes, longerRoute], described)).toThrow(
    'two schemas are called Key: extend one without a name',
  )
})

test('what may be null says so in the way of OpenAPI 3.0.3', () => {
  const onlyNull = { type: 'string', nullable: true, enum: [null] }
  expect(document.components.schemas.Nullables.properties).toEqual({
    period: { type: 'string', nullable: true, enum: ['hour', 'day', null] },
    limits: { anyOf: [{ $ref: '#/components/schemas/Limits' }, onlyNull] },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }, onlyNull] },
    text: { type: 'string', nullable: true },
  })
})

test('the limit of a list is a whole number with bounds', () => {
  const list = { operationId: 'list' }
  const lists = [{ method: 'GET', path: '/list', hooks: { query: AdminListQuery, detail: list } }]
  const { paths } = JSON.parse(JSON.stringify(openApiDocument(lists, described)))
  const schema = { type: 'integer', minimum: 1, maximum: 100, default: 50 }
  expect(paths['/list'].get.parameters[0]).toMatchObject({ name: 'limit', schema })
})
