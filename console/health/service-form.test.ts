import { describe, expect, test } from 'bun:test'

import { defaultPolicy } from '../../server/health/decide/policy.ts'
import { Policy, ServiceSpec } from '../../shared/health.ts'
import { type ServiceSettings, ServiceUpdate } from '../../shared/health-services.ts'
import { sortRefusal } from '../forms/field-errors.ts'
import { emptyCapabilityForm } from './capability-form.ts'
import { policyFields, policyText, policyTexts, readPolicy } from './policy-fields.ts'
import {
  type ServiceForm,
  readServiceSpec,
  serviceFormOf,
  readServiceUpdate,
  serviceFormFields,
  emptyServiceForm,
} from './service-form.ts'

const filled = (changes: Partial<ServiceForm> = {}): ServiceForm => ({
  ...emptyServiceForm(),
  name: ' Node A ',
  chain: 'ethereum',
  provider: 'acme',
  endpoint: 'https://node-a.example.com',
  ...changes,
})
const settings: ServiceSettings = {
  capabilities: { archive: false, lowestBlock: 90 },
  id: 'node-a',
  name: 'Node A',
  family: 'evm',
  chain: 'ethereum',
  provider: 'acme',
  labels: ['team:payments', 'production'],
  objective: 99.95,
  managedBy: 'operator',
  endpointOrigin: 'https://node-a.example.com',
  webSocketOrigin: 'wss://node-a.example.com',
  headerNames: ['x-api-key', 'x-team'],
  hasCa: false,
  rule: null,
  policy: { enterBlocks: 3, maxRttMs: null, intervalMs: 2_500 },
  defaultPolicy: defaultPolicy({ blockMs: 12_000 }, 'evm'),
}

const readSignIn = (signIn: Partial<ServiceForm['signIn']>, changes: Partial<ServiceForm> = {}) =>
  readServiceSpec(filled({ signIn: { ...emptyServiceForm().signIn, ...signIn }, ...changes }))

describe('what is to be registered', () => {
  test('is a specification that the server takes', () => {
    const read = readServiceSpec(
      filled({ policy: { ...policyTexts({}), enterBlocks: '7', intervalMs: '0,5' } }),
    )
    if (read.kind === 'wrong') throw new Error(JSON.stringify(read.errors))
    expect(ServiceSpec.parse(read.value)).toEqual({
      name: 'Node A',
      chain: 'ethereum',
      provider: 'acme',
      endpoint: 'https://node-a.example.com',
      policy: { enterBlocks: 7, intervalMs: 500 },
    })
  })

  test('has its labels once, however they are typed, and an objective, and keeps them', () => {
    const typed = { labels: ' production,team:payments  production', objective: ' 99,5' }
    expect(readServiceSpec(filled(typed))).toMatchObject({
      value: { labels: ['production', 'team:payments'], objective: 99.5 },
    })
    expect(readServiceSpec(filled({ objective: '12' }))).toMatchObject({
      errors: { objective: expect.any(String) },
    })
    expect(readServiceUpdate({ ...serviceFormOf(settings), objective: '' }, settings)).toMatchObject({
      value: { objective: null },
    })
    expect(readServiceUpdate(serviceFormOf(settings), settings)).toMatchObject({
      value: { labels: ['team:payments', 'production'], objective: 99.95 },
    })
  })

  test('of an HTTP service has a rule and no chain', () => {
    const rule = { ...emptyServiceForm().rule, statuses: '200, 204' }
    const headers = [{ name: 'x-api-key', value: 'k', isStored: false }]
    expect(readServiceSpec(filled({ kind: 'http', rule, headers, id: 'site' }))).toMatchObject({
      kind: 'value',
      value: {
        id: 'site',
        family: 'http',
        rule: { method: 'GET', statuses: [200, 204] },
        headers: { 'x-api-key': 'k' },
      },
    })
  })

  test('of an HTTP service has every part of its rule, and is read again as it was written', () => {
    const rule = {
      ...emptyServiceForm().rule,
      method: 'POST' as const,
      matches: '^ok',
      jsonPath: '$.a',
      jsonEquals: '"1"',
      body: '{"a":1}',
      redirects: '2',
    }
    const read = readServiceSpec(filled({ kind: 'http', rule, ca: '-----BEGIN CERTIFICATE-----' }))
    if (read.kind === 'wrong') throw new Error(JSON.stringify(read.errors))
    const spec = ServiceSpec.parse(read.value)
    expect(spec.rule).toEqual({
      method: 'POST',
      statuses: [200],
      matches: '^ok',
      json: { path: '$.a', equals: '1' },
      body: '{"a":1}',
      redirects: 2,
    })
    expect(spec.ca).toBe('-----BEGIN CERTIFICATE-----')
    expect(serviceFormOf({ ...settings, family: 'http', rule: spec.rule ?? null }).rule).toEqual(rule)
    const bounds = filled({ kind: 'http', rule: { ...rule, jsonPath: '', jsonMin: 'few' } })
    expect(readServiceSpec(bounds)).toMatchObject({
      errors: { 'rule.json.path': 'Required with a value or bounds.', 'rule.json.min': 'A number, please.' },
    })
  })

  test('signs in by one header, which is stored as every other', () => {
    expect(readSignIn({ kind: 'basic', user: 'a', password: 'pä:ss' })).toMatchObject({
      value: { headers: { authorization: `Basic ${Buffer.from('a:pä:ss').toString('base64')}` } },
    })
    expect(readSignIn({ kind: 'bearer', token: ' t0k ' })).toMatchObject({
      value: { headers: { authorization: 'Bearer t0k' } },
    })
    expect(readSignIn({ kind: 'none', token: 't0k' })).not.toMatchObject({ value: { headers: {} } })
    expect(readSignIn({ kind: 'basic', user: 'a:b' })).toMatchObject({
      errors: { 'signIn.user': 'A user name has no colon.' },
    })
    const headers = [{ name: 'Authorization', value: 'x', isStored: false }]
    expect(readSignIn({ kind: 'bearer' }, { headers })).toMatchObject({
      errors: { 'signIn.token': 'Required.', headers: 'authorization is given above already.' },
    })
  })

  test('says at its fields what is missing or cannot be read', () => {
    expect(readServiceSpec(emptyServiceForm())).toEqual({
      kind: 'wrong',
      errors: { name: 'Required.', provider: 'Required.', endpoint: 'Required.', chain: 'Required.' },
    })
    const wrong = filled({ kind: 'http', policy: { ...policyTexts({}), upForMs: 'soon', quorum: 'bft' } })
    expect(readServiceSpec({ ...wrong, rule: { ...wrong.rule, statuses: 'ok' } })).toEqual({
      kind: 'wrong',
      errors: { 'policy.upForMs': 'A number, please.', 'rule.statuses': 'Status codes such as 200, 204.' },
    })
  })
})

describe('what is to be changed', () => {
  test('leaves the endpoint and the headers that nobody touched', () => {
    const read = readServiceUpdate(serviceFormOf(settings), settings)
    if (read.kind === 'wrong') throw new Error(JSON.stringify(read.errors))
    expect(ServiceUpdate.parse(read.value)).toEqual({
      id: 'node-a',
      name: 'Node A',
      provider: 'acme',
      labels: ['team:payments', 'production'],
      objective: 99.95,
      chain: 'ethereum',
      capabilities: { archive: false, lowestBlock: 90 },
      policy: { enterBlocks: 3, maxRttMs: null, intervalMs: 2_500 },
    })
  })

  test('takes back what was declared, and says what is no number', () => {
    const form = serviceFormOf(settings)
    expect(readServiceUpdate({ ...form, capabilities: emptyCapabilityForm() }, settings)).toMatchObject({
      value: { capabilities: {} },
    })
    const capabilities = { archive: 'no', lowestBlock: '-1', logRange: '10k' } as const
    expect(readServiceUpdate({ ...form, capabilities }, settings)).toEqual({
      kind: 'wrong',
      errors: {
        'capabilities.lowestBlock': 'Expected a whole number.',
        'capabilities.logRange': 'Expected a whole number.',
      },
    })
  })

  test('keeps, replaces or removes the WebSocket address', () => {
    const form = serviceFormOf(settings)
    const ws = 'wss://node-a.example.com/new'
    expect(readServiceUpdate({ ...form, ws: ` ${ws} `, removesWs: true }, settings)).toMatchObject({
      value: { ws },
    })
    expect(readServiceUpdate({ ...form, removesWs: true }, settings)).toMatchObject({ value: { ws: null } })
    expect(readServiceSpec(filled({ ws }))).toMatchObject({ value: { ws } })
  })

  test('removes, replaces and adds headers', () => {
    const headers = [
      { name: 'x-team', value: 'new', isStored: true },
      { name: 'x-new', value: 'v', isStored: false },
    ]
    expect(readServiceUpdate({ ...serviceFormOf(settings), headers }, settings)).toMatchObject({
      value: { headers: { 'x-api-key': null, 'x-team': 'new', 'x-new': 'v' } },
    })
  })
})

test('every threshold has a field, and is read as it is written', () => {
  expect(policyFields.map(({ key }) => key).toSorted()).toEqual(
    Object.keys(Policy.shape).toSorted() as (typeof policyFields)[number]['key'][],
  )
  const { defaultPolicy: policy } = settings
  const read = readPolicy(policyTexts(policy))
  expect(read).toEqual({ kind: 'policy', policy })
  expect(policyFields.map((field) => policyText(field, policy)).slice(0, 5)).toEqual([
    '5 blocks',
    '1 min',
    'never matters',
    '10 s',
    '4 s',
  ])
})

test('a refusal is sorted to its fields; what belongs to none stays whole', () => {
  const text =
    'endpoint: an http or https address; policy.enterBlocks: expected at least 0; headers.x y: a header name; body: unknown field x; and 2 more'
  expect(sortRefusal(text, serviceFormFields)).toEqual({
    fields: {
      endpoint: 'An http or https address.',
      'policy.enterBlocks': 'Expected at least 0.',
      headers: 'A header name.',
    },
    rest: 'body: unknown field x; and 2 more',
  })
  expect(sortRefusal('id: taken by another service', serviceFormFields)).toEqual({
    fields: { id: 'Taken by another service.' },
    rest: '',
  })
})
