import { describe, expect, test } from 'bun:test'

import { firstSteps } from './first-steps.ts'
import type { Progress } from './first-steps.ts'

const nothing: Progress = {
  services: 0,
  verifiers: 1,
  endpoints: 0,
  queryKeys: 0,
  usedKeys: 0,
  apiKeys: 0,
  identities: 1,
  providers: { github: false, google: false, oidc: false },
}
const doneOf = (progress: Progress, isOperator = true) =>
  Object.fromEntries(firstSteps(progress, isOperator).map(({ id, isDone }) => [id, isDone]))

describe('the first steps', () => {
  test('of an operator are eight, none of them done at the start', () => {
    expect(doneOf(nothing)).toEqual({
      service: false,
      verifier: false,
      endpoint: false,
      'query-key': false,
      'first-call': false,
      'api-key': false,
      identity: false,
      providers: false,
    })
  })

  test('lead to the first call before all else', () => {
    expect(Object.keys(doneOf(nothing)).slice(0, 3)).toEqual(['endpoint', 'query-key', 'first-call'])
    expect(Object.keys(doneOf(nothing, false)).slice(0, 2)).toEqual(['query-key', 'first-call'])
  })

  test('are done when there is what they make', () => {
    const progress = {
      services: 1,
      verifiers: 3,
      endpoints: 1,
      queryKeys: 1,
      usedKeys: 1,
      apiKeys: 1,
      identities: 2,
      providers: { github: false, google: true, oidc: false },
    }
    expect(new Set(Object.values(doneOf(progress)))).toEqual(new Set([true]))
  })

  test('are neither while nothing is known', () => {
    const unknown = { services: null, verifiers: null, endpoints: null, queryKeys: null, usedKeys: null }
    const progress = { ...nothing, ...unknown, apiKeys: null, providers: null }
    expect(doneOf(progress)).toEqual({
      service: null,
      verifier: null,
      endpoint: null,
      'query-key': null,
      'first-call': null,
      'api-key': null,
      identity: false,
      providers: null,
    })
  })

  test('of others are those that they can do', () => {
    expect(doneOf(nothing, false)).toEqual({
      'query-key': false,
      'first-call': false,
      'api-key': false,
      identity: false,
    })
  })
})
