import { expect, test } from 'bun:test'

import type { RegistryHealthLink } from '../../shared/registry.ts'
import { createChainPlaces } from './chain-places.ts'
import { createHealthLinks } from './health-links.ts'
import { loadContents } from './test-support/small-registry.ts'
import { someServices } from './test-support/some-services.ts'

const { index } = await loadContents(someServices)

function linksWith(
  services: { id: string; chain: string | null; endpoint: string }[],
  links: RegistryHealthLink[] = [],
) {
  const world = { services, links, version: 0 }
  const health = createHealthLinks(
    index,
    { list: () => world.services, version: () => world.version, decisionOf: () => 'UP' },
    createChainPlaces(index, (chain) => chain),
    () => world.links,
  )
  const linked = () =>
    [...index.rowOfEntry].flatMap((row, entry) => {
      const service = health.linked(entry)
      const chain = index.snapshot.networks[index.networkOfEntry[entry] ?? 0]
      return service === null ? [] : [`${index.serviceIds[row]}@${chain} ${service}`]
    })
  return { world, linked }
}

test('a service gives its health to rows of its chain that lead to its host', () => {
  const node = { id: 'node', chain: 'ethereum', endpoint: 'https://eth.acme.example/v1/key' }
  expect(linksWith([node]).linked()).toEqual(['apis:acme-free@ethereum node'])
  expect(linksWith([{ ...node, chain: 'base' }]).linked()).toEqual([])
  expect(linksWith([{ ...node, chain: null }]).linked()).toEqual([])
})

test('the file links what no host tells, and comes first; services and links may change', () => {
  const node = { id: 'node', chain: 'ethereum', endpoint: 'https://eth.acme.example/' }
  const other = { id: 'other', chain: null, endpoint: 'https://elsewhere.example/' }
  const { world, linked } = linksWith([node, other], [
    { service: 'other', service_id: 'apis:acme-free', chain: 'ethereum' },
    { service: 'other', service_id: 'mcpservers:docs-mcp', chain: 'base' },
    { service: 'gone', service_id: 'apis:bolt', chain: 'ethereum' },
    { service: 'other', service_id: 'apis:bolt', chain: 'base' },
  ]) // prettier-ignore
  expect(linked()).toEqual(['apis:acme-free@ethereum other', 'mcpservers:docs-mcp@base other'])
  world.links = []
  expect(linked()).toEqual(['apis:acme-free@ethereum node'])
  world.services = []
  world.version++
  expect(linked()).toEqual([])
})

test('a node says something about its own network alone, where the main network and a test network are at one host', async () => {
  const actionButtons = '["[Endpoint](https://rpc.acme.example/)"]'
  const loaded = await loadContents({
    'ethereum/apis': [
      { slug: 'main', provider: 'Acme', chain: 'mainnet', actionButtons },
      { slug: 'test', provider: 'Acme', chain: 'sepolia', actionButtons },
      { slug: 'other', provider: 'Acme', chain: 'holesky', actionButtons },
    ],
    'base/apis': [{ slug: 'base-test', provider: 'Acme', chain: 'sepolia', actionButtons }],
  })
  const names = new Map([['sepolia', 'Ethereum Sepolia']])
  const placeOf = createChainPlaces(loaded.index, (chain) => names.get(chain) ?? chain)
  const linkedFor = (chain: string) => {
    const node = { id: 'node', chain, endpoint: 'https://rpc.acme.example/eth' }
    const one = { list: () => [node], version: () => 0, decisionOf: () => 'DOWN' as const }
    const health = createHealthLinks(loaded.index, one, placeOf, () => [])
    return [...loaded.index.rowOfEntry].flatMap((row, entry) =>
      health.linked(entry) === null ? [] : [loaded.index.serviceIds[row]],
    )
  }
  expect(linkedFor('ethereum')).toEqual(['apis:main'])
  expect(linkedFor('sepolia')).toEqual(['apis:test'])
  expect(linkedFor('base-sepolia')).toEqual(['apis:base-test'])
  expect(linkedFor('hoodi')).toEqual([])
})
