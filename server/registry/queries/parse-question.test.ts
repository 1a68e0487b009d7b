import { expect, test } from 'bun:test'

import { loadContents } from '../test-support/small-registry.ts'
import { createRegistryQueries } from './queries.ts'

test('a question is understood by the name that an operator gives a chain after the registry was loaded', async () => {
  const { index } = await loadContents({
    'ethereum/apis': [{ slug: 'main', provider: 'Acme' }],
    'my-rollup/apis': [{ slug: 'rolled', provider: 'Acme' }],
  })
  const names = new Map<string, string>()
  const answers = createRegistryQueries(index, (chain) => names.get(chain) ?? chain, {
    isAny: () => false,
    linked: () => null,
    decisionOf: () => 'UNKNOWN',
  })
  const foundFor = (query: string) => {
    const answer = answers.search({ query })
    return answer.ok ? answer.value.results.map(({ service_id: id }) => id) : answer.refusal.code
  }
  expect(foundFor('the big one')).toEqual([])
  names.set('my-rollup', 'The Big One')
  expect(foundFor('the big one')).toEqual(['apis:rolled'])
  names.clear()
  expect(foundFor('the big one')).toEqual([])
})
