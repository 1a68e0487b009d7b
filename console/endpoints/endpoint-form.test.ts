import { describe, expect, test } from 'bun:test'

import { EndpointSpec, EndpointUpdate } from '../../shared/endpoints.ts'
import type { EndpointDetails } from '../../shared/endpoints.ts'
import { sortRefusal } from '../forms/field-errors.ts'
import {
  emptyEndpointForm,
  endpointFormFields,
  endpointFormOf,
  readEndpointSpec,
  readEndpointUpdate,
} from './endpoint-form.ts'
import { methodProblem } from './method-entry.ts'
import type { EndpointForm } from './endpoint-form.ts'
import { priceDraft, readPrices } from './price-draft.ts'
import { newUpstream } from './upstream-draft.ts'

const filled: EndpointForm = {
  ...emptyEndpointForm(),
  name: ' mainnet ',
  chain: 'ethereum',
  upstreams: [{ ...newUpstream('new-1'), service: 'node-a' }],
}

const details: EndpointDetails = {
  name: 'mainnet',
  chain: { key: 'ethereum', name: 'Ethereum' },
  family: 'evm',
  managedBy: 'operator',
  url: '',
  webSocketUrl: '',
  upstreams: [
    {
      id: 'node-a',
      serviceId: 'node-a',
      host: 'node-a.example.com',
      webSocketHost: null,
      headerNames: [],
      weight: 1,
      decision: 'UP',
      tier: 0,
      budget: null,
      compression: null,
      budgetUse: null,
      outBecause: null,
    },
  ],
  problem: null,
  methods: { allow: [], deny: ['debug_*'], unknown: 'refuse' },
  credits: { default: 25, eth_getLogs: 75 },
  settings: { byMethod: {} },
  revision: 'abc',
}

describe('the form of an endpoint', () => {
  test('that is empty says what is missing, each at its field', () => {
    const reading = readEndpointSpec(emptyEndpointForm())
    expect(reading).toEqual({
      kind: 'wrong',
      errors: {
        name: 'Required.',
        chain: 'Choose a chain.',
        'upstreams[0].service': 'Choose a service.',
      },
    })
    const fields = new Set(endpointFormFields(emptyEndpointForm()))
    expect(reading.kind === 'wrong' && Object.keys(reading.errors).every((field) => fields.has(field))).toBe(
      true,
    )
  })

  test('makes a specification', () => {
    const reading = readEndpointSpec({ ...filled, allow: ['eth_*'], prices: { methods: [], others: '5' } })
    expect(reading.kind === 'value' && EndpointSpec.parse(reading.value)).toEqual({
      name: 'mainnet',
      chain: 'ethereum',
      upstreams: [{ service: 'node-a', weight: 1 }],
      methods: { allow: ['eth_*'], deny: [], unknown: 'refuse' },
      credits: { default: 5 },
      settings: { byMethod: {} },
    })
  })

  test('about one that there is changes nothing by itself', () => {
    const reading = readEndpointUpdate(endpointFormOf(details), details)
    expect(reading.kind === 'value' && EndpointUpdate.parse(reading.value)).toEqual({
      name: 'mainnet',
      revision: 'abc',
      chain: 'ethereum',
      upstreams: [{ keep: 'node-a', weight: 1 }],
      methods: { allow: [], deny: ['debug_*'], unknown: 'refuse' },
      credits: { default: 25, eth_getLogs: 75 },
      settings: { byMethod: {} },
    })
  })

  test('marks methods that cannot be', () => {
    expect(['eth_call', 'debug_*', '*'].map(methodProblem)).toEqual([null, null, null])
    const reading = readEndpointSpec({ ...filled, deny: ['eth_*x'] })
    expect(reading.kind === 'wrong' && Object.keys(reading.errors)).toEqual(['methods.deny'])
  })

  test('shows a refusal at the upstream that it is about', () => {
    const text =
      'upstreams[0].service: unknown service "x"; somebody else has changed this endpoint meanwhile'
    expect(sortRefusal(text, endpointFormFields(filled))).toEqual({
      fields: { 'upstreams[0].service': 'Unknown service "x".' },
      rest: 'somebody else has changed this endpoint meanwhile',
    })
  })
})

describe('prices', () => {
  test('come back as they were', () => {
    expect(readPrices(priceDraft(details.credits))).toEqual({ kind: 'prices', prices: details.credits })
  })

  test.each([
    [[{ method: '', credits: '' }], null],
    [[{ method: 'eth_call', credits: '' }], 'eth_call: a whole number of credits from 0 to 1,000,000.'],
    [[{ method: 'eth_call', credits: '1.5' }], 'eth_call: a whole number of credits from 0 to 1,000,000.'],
    [[{ method: '', credits: '7' }], 'Which method costs 7?'],
    [
      [
        { method: 'eth_call', credits: '7' },
        { method: ' eth_call ', credits: '8' },
      ],
      'eth_call is named twice.',
    ],
  ])('%j', (methods, error) => {
    const reading = readPrices({ methods, others: '' })
    expect(reading).toEqual(error === null ? { kind: 'prices', prices: {} } : { kind: 'wrong', error })
  })
})
