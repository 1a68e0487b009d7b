import { describe, expect, test } from 'bun:test'

import type { FilterQuestion } from '../../../shared/registry.ts'
import { answersAbout } from '../test-support/some-services.ts'

const answers = await answersAbout()

function columnsFor(question: FilterQuestion) {
  const answer = answers.filters(question)
  if (!answer.ok) throw new Error(answer.refusal.message)
  return new Map(answer.value.map((column) => [column.key, column]))
}

describe('what services can be narrowed by', () => {
  test('each column with a filter that says something, with its values, the commonest first', () => {
    const columns = columnsFor({ category: 'apis' })
    expect(columns.get('tag')).toMatchObject({ label: 'Tags', kind: 'multiSelect', moreValues: 0 })
    expect(columns.get('tag')?.values[0]).toEqual({ value: 'RPC', services: expect.any(Number) })
    expect(columns.get('price')).toEqual({
      key: 'price',
      label: 'Price',
      kind: 'range',
      values: [],
      moreValues: 0,
    })
    expect(columns.has('description')).toBe(false)
    expect(columns.has('transportType')).toBe(false)
  })

  test('of one network and category only', () => {
    expect(columnsFor({ chain: 'base', category: 'apis' }).has('updatedAt')).toBe(false)
    expect(columnsFor({ chain: 'ethereum', category: 'apis' }).has('updatedAt')).toBe(true)
    const providers = columnsFor({ chain: 'ethereum', category: 'mcpservers' }).get('provider')
    expect(providers?.values).toEqual([
      { value: 'Bolt', services: 2 },
      { value: 'Acme Nodes', services: 1 },
    ])
  })

  test('a name that is not known is refused with those that are', () => {
    expect(answers.filters({ chain: 'bas' })).toMatchObject({
      ok: false,
      refusal: { code: 'unknown_chain', known: ['base', 'ethereum'] },
    })
    expect(answers.filters({ category: 'ap' })).toMatchObject({ refusal: { code: 'unknown_category' } })
  })

  test('all categories have names', () => {
    expect(answers.allCategories()).toContainEqual({ category: 'apis', label: 'APIs' })
  })
})
