import { describe, expect, test } from 'bun:test'

import { HttpRule, type ServiceSpec } from '../../../shared/health.ts'
import { describeInvalid } from '../../platform/validation-text.ts'
import { findTestChain, specOf } from '../test-support/fixtures.ts'
import { resolveService } from './service.ts'
import { covers } from '../../../tests/support/covers.ts'

const resolve = (changes: Partial<ServiceSpec>, id = 'a') =>
  resolveService(specOf(id, changes), { id, managedBy: 'file' }, findTestChain)

function serviceOf(changes: Partial<ServiceSpec>) {
  const resolved = resolve(changes)
  if (resolved.kind === 'problem') throw new Error(resolved.problem.message)
  return resolved.service
}

describe('a contradiction names its field', () => {
  test.each<[string, Partial<ServiceSpec>, string]>([
    ['a chain that nobody knows', { chain: 'atlantis' }, 'chain'],
    ['neither chain nor family', { chain: undefined }, 'chain'],
    ['a chain for a family that reads none', { family: 'http' }, 'chain'],
    ['a chain for an MCP server', { family: 'mcp' }, 'chain'],
    ['no chain for a family that reads one', { family: 'evm', chain: undefined }, 'chain'],
    ['no chain for a subgraph', { family: 'subgraph', chain: undefined }, 'chain'],
    ['a family that the chain does not have', { family: 'solana' }, 'family'],
    ['a rule for a node', { rule: { method: 'GET', statuses: [200] } }, 'rule'],
    [
      'a rule for an MCP server',
      { chain: undefined, family: 'mcp', rule: { method: 'GET', statuses: [200] } },
      'rule',
    ],
  ])('%s', (_, changes, field) => {
    expect(resolve(changes)).toMatchObject({
      kind: 'problem',
      problem: { field, message: expect.any(String) },
    })
  })

  test('an id that looks like that of an anchor', () => {
    expect(resolve({}, 'anchor:testnet:0')).toMatchObject({ problem: { field: 'id' } })
    const anchor = resolveService(
      specOf('x'),
      { id: 'anchor:testnet:0', managedBy: 'file', isHidden: true },
      findTestChain,
    )
    expect(anchor.kind).toBe('service')
  })
})

describe('a WebSocket address', () => {
  const [endpoint, ws] = ['https://node.example/v2/key', 'wss://node.example/ws/key']
  const problemWith = (changes: Partial<ServiceSpec>) => {
    const resolved = resolve({ endpoint, ws, ...changes })
    return resolved.kind === 'problem' ? resolved.problem : null
  }

  test('is of an EVM or Solana node, on any host', () => {
    expect(serviceOf({ endpoint, ws }).ws).toBe(ws)
    expect(serviceOf({ endpoint }).ws).toBeNull()
    expect(problemWith({ ws: 'ws://elsewhere.example:8546' })).toBeNull()
    for (const family of ['http', 'mcp'] as const) {
      expect(problemWith({ family, chain: undefined })).toEqual({
        field: 'ws',
        message: 'only for the families evm and solana',
      })
    }
  })

  test('is on the host of an endpoint with headers or credentials, and as secure, as it is sent them', () => {
    const headers = { authorization: 'Bearer s3cret' }
    expect(problemWith({ headers, ws: 'wss://node.example:8546' })).toBeNull()
    for (const changes of [{ headers }, { endpoint: 'https://me:s3cret@node.example/' }]) {
      const elsewhere = problemWith({ ...changes, ws: 'wss://elsewhere.example/' })
      expect(elsewhere?.message).toBe('must be on the host of the endpoint, as it is sent its headers')
      expect(problemWith({ ...changes, ws: 'ws://node.example/' })?.message).toContain('must be wss')
    }
    expect(problemWith({ ws: 'wss://me:s3cret@node.example/' })?.message).toBe(
      'put user and password into a header: WebSocket addresses carry none',
    )
  })
})

const problemOf = (changes: Partial<ServiceSpec>) => {
  const resolved = resolve({ chain: undefined, family: 'http', ...changes })
  return resolved.kind === 'problem' ? resolved.problem : null
}
const ruleProblem = (rule: Partial<HttpRule>) =>
  problemOf({ rule: { method: 'GET', statuses: [200], ...rule } })

describe('a rule or a certificate that no probe could use', () => {
  test('names its field, with what is allowed and without an echo', () => {
    const expression = ruleProblem({ matches: '(s3cret' })
    expect(expression?.field).toBe('rule.matches')
    expect(expression?.message).toContain("expected a regular expression of RE2's syntax")
    expect(expression?.message).not.toContain('s3cret')
    expect(ruleProblem({ matches: '[ab]{900}' })?.message).toContain('too large')
    expect(ruleProblem({ body: 'x' })).toEqual({ field: 'rule.body', message: 'only with method POST' })
    expect(ruleProblem({ method: 'HEAD', matches: 'x' })?.field).toBe('rule.matches')
    expect(problemOf({ ca: '-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----' })).toEqual({
      field: 'ca',
      message: 'certificate 1 cannot be read; expected X.509 in PEM',
    })
    expect(problemOf({ ca: '-----BEGIN', endpoint: 'http://a.example' })?.message).toBe(
      'only for an https endpoint',
    )
  })

  test.each([
    [{ json: { path: 'status' } }, 'a path to one value'],
    [{ json: { path: '$..a' } }, 'a path to one value'],
    [{ json: { path: '$.a', min: 2, max: 1 } }, 'no more than max'],
    [{ json: { path: '$.a', equals: 1, max: 1 } }, 'either a value or bounds'],
    [{ redirects: 6 }, 'at most 5'],
  ])('%j is refused as it is read', (rule, expected) => {
    expect(describeInvalid(HttpRule, rule, 'rule')).toContain(expected)
  })
})

describe('what is not given', () => {
  test('is taken from the chain', () => {
    expect(serviceOf({})).toMatchObject({
      family: 'evm',
      chain: 'testnet',
      headers: {},
      rule: null,
      isHidden: false,
      policy: { enterBlocks: 30, enterSec: 30, maxRttMs: null },
    })
  })

  test('and what is given stays', () => {
    const policy = { enterBlocks: 7, maxRttMs: 100 }
    const service = serviceOf({ headers: { a: 'b' }, policy })
    expect(service).toMatchObject({
      headers: { a: 'b' },
      policy: { ...policy, enterSec: 30 },
      overrides: policy,
    })
  })

  test('a subgraph follows a chain of any family', () => {
    expect(serviceOf({ family: 'subgraph' })).toMatchObject({ family: 'subgraph', chain: 'testnet' })
  })

  test('a second API of its nodes follows a chain, and no other', () => {
    expect(serviceOf({ family: 'tron' })).toMatchObject({ family: 'tron', chain: 'testnet' })
    expect(resolve({ family: 'cosmos-rest' })).toMatchObject({ problem: { field: 'family' } })
  })

  test('an http service has no chain, and slow answers matter for it', () => {
    covers('health-slow-answers')
    const rule = { method: 'GET' as const, statuses: [200] }
    expect(serviceOf({ family: 'http', chain: undefined, rule })).toMatchObject({
      chain: null,
      rule,
      policy: { maxRttMs: 3_000 },
    })
  })
})
