import { facets } from '../index/facets.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import type { FoundServices, ServiceQuery } from './find-services.ts'
import type { Condition } from './parse-filters.ts'
import type { Wish } from './understand.ts'

const exampleCount = 5

/** Whether a condition comes from the chain that was asked for, and not from a filter. */
const isOfChain = (condition: Condition): boolean => condition.kind === 'any' && condition.orNone === true
const isOther = (condition: Condition): boolean => !isOfChain(condition)

/** Writes what an answer says beside its results: how the question was understood, and what would have an answer. */
export function createNotes(index: RegistryIndex, nameOf: (network: string) => string) {
  const { snapshot, categories } = index

  function wordsOf(wish: Wish): string {
    switch (wish.kind) {
      case 'word':
        return JSON.stringify(wish.text)
      case 'network':
        return `on ${nameOf(wish.network)}`
      case 'category':
        return wish.categories.map((key) => snapshot.categories.get(key)?.label ?? key).join(' or ')
      case 'facet':
        return facets[wish.facet]?.label ?? ''
      case 'subChain':
        return `on the network ${wish.subChain}`
    }
  }

  function understoodAs({ understood, meritOfHealth }: ServiceQuery): string[] {
    const { wishes, order, corrected, unknown } = understood
    const taken = wishes.filter(({ kind }) => kind !== 'word').map(wordsOf)
    const first =
      order === 'cheapest'
        ? ['the cheapest first']
        : order === 'healthiest' && meritOfHealth !== null
          ? ['those that are up first']
          : []
    return [
      ...corrected.map(({ from, to }) => `${JSON.stringify(from)} was read as ${JSON.stringify(to)}.`),
      ...(taken.length + first.length > 0 ? [`Looked for: ${[...taken, ...first].join(', ')}.`] : []),
      ...(unknown.length > 0
        ? [`Nothing here has ${unknown.map((word) => JSON.stringify(word)).join(' or ')}.`]
        : []),
    ]
  }

  const isThere = ({ column, values }: Extract<Condition, { kind: 'any' }>): boolean =>
    values.some((value) => index.values.rowsWith(column, value).length > 0)

  function missingValue({ conditions }: ServiceQuery): string | null {
    const missing = conditions.find((condition) => condition.kind === 'any' && !isThere(condition))
    if (missing?.kind !== 'any') return null
    const known = index.values.commonest(missing.column, exampleCount)
    const examples =
      known.length === 0 ? 'no row has any value there' : `there are, for instance, ${known.join('; ')}`
    return `No row has ${missing.values.join(' or ')} in ${missing.column}; ${examples}.`
  }

  return {
    onResults(query: ServiceQuery, { unmet, missedByBest }: FoundServices): string | null {
      const sentences = understoodAs(query)
      const missed = missedByBest.filter((wish) => !unmet.includes(wish))
      const lacking = [
        ...(unmet.length > 0 ? [`these are not: ${unmet.map(wordsOf).join(', ')}`] : []),
        ...(missed.length > 0 ? [`the first is not: ${missed.map(wordsOf).join(', ')}`] : []),
      ]
      if (lacking.length > 0) sentences.push(`No service is all of that; ${lacking.join('; ')}.`)
      return sentences.length === 0 ? null : sentences.join(' ')
    },

    /** `countOf` returns how many services a query finds. */
    onNothing(query: ServiceQuery, countOf: (query: ServiceQuery) => number): string | null {
      const missing = missingValue(query)
      if (missing !== null) return missing
      const elsewhere = query.understood.wishes.filter(
        (wish) => wish.kind === 'network' && !snapshot.networks.includes(wish.network),
      )
      if (elsewhere.length > 0) return onNoSuchNetwork(query, elsewhere, countOf)
      const without: [string, ServiceQuery][] = []
      if (query.category !== null) {
        const understood = query.understoodAnywhere()
        without.push(['the category', { ...query, category: null, understood }])
      }
      const [ofChain, others] = [query.conditions.filter(isOfChain), query.conditions.filter(isOther)]
      if (query.network !== null) without.push(['the chain', { ...query, network: null, conditions: others }])
      if (others.length > 0 || query.isHealthy !== null) {
        without.push([
          'the tags and filters',
          { ...query, conditions: ofChain, isHealthy: null, isHealthyEntry: null },
        ])
      }
      const would = without.flatMap(([what, other]) => {
        const count = countOf(other)
        return count === 0 ? [] : [`without ${what} there would be ${count}`]
      })
      const instead =
        would.length > 0 ? would.join(', ') : `there are the categories ${categories.join(', ')}`
      return [...understoodAs(query), `Nothing fits; ${instead}.`].join(' ')
    },
  }

  function onNoSuchNetwork(
    query: ServiceQuery,
    elsewhere: readonly Wish[],
    countOf: (query: ServiceQuery) => number,
  ): string {
    const wishes = query.understood.wishes.filter((wish) => !elsewhere.includes(wish))
    const count = wishes.length === 0 ? 0 : countOf({ ...query, understood: { ...query.understood, wishes } })
    const names = elsewhere.flatMap((wish) => (wish.kind === 'network' ? [nameOf(wish.network)] : []))
    const would = count > 0 ? `; without it there would be ${count}` : ''
    return `Nothing fits: nothing here is on ${names.join(' or ')}${would}. discover_networks lists the chains.`
  }
}
