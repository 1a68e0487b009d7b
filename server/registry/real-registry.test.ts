import { beforeAll, describe, expect, test } from 'bun:test'

import type { RegistryAnswer } from '../../shared/registry.ts'
import { realRegistry } from '../../scripts/world/real-registry.ts'
import { type RegistryQueries, createRegistryQueries } from './queries/queries.ts'
import type { LoadedRegistry } from './load.ts'
import { readFolder } from './sources/folder.ts'
import { loadFiles } from './test-support/small-registry.ts'
import { covers } from '../../tests/support/covers.ts'

const folder = realRegistry()
if (folder === null) {
  process.stdout.write('skipped: the real registry is not here (GATEHOUSE_TEST_REGISTRY names its folder)\n')
}

function valueOf<Value>(answer: RegistryAnswer<Value>): Value {
  if (!answer.ok) throw new Error(answer.refusal.message)
  return answer.value
}

describe.skipIf(folder === null)('a real registry', () => {
  let loaded: LoadedRegistry
  let answers: RegistryQueries
  beforeAll(async () => {
    loaded = await loadFiles(await readFolder(folder ?? ''))
    answers = createRegistryQueries(loaded.index, (name) => name, {
      isAny: () => false,
      linked: () => null,
      decisionOf: () => 'UNKNOWN',
    })
  }, 60_000)

  test('is imported without a row left out', () => {
    covers('chain-count')
    expect(loaded.counts).toMatchObject({ networks: 55, rows: 28_295, pairs: 629, leftOut: 0 })
    expect(loaded.problems.every(({ effect }) => effect === 'changed')).toBe(true)
  })

  test('has the chains and categories that the specification names', () => {
    covers('chain-keys-canonical', 'categories-named')
    const chains = answers.discoverNetworks().networks.map(({ chain }) => chain)
    for (const chain of ['ethereum', 'base', 'arbitrum', 'optimism', 'filecoin', 'solana', 'bitcoin']) {
      expect(chains).toContain(chain)
    }
    for (const category of [
      'apis',
      'explorers',
      'ramps',
      'oracles',
      'bridges',
      'wallets',
      'security',
      'mcpservers',
    ]) {
      expect(loaded.index.categories).toContain(category)
    }
  })

  test('every service is found again by its id, on each of its chains', () => {
    for (const [number, serviceId] of loaded.index.serviceIds.entries()) {
      if (number % 97 !== 0) continue
      const details = valueOf(answers.find({ serviceId }))
      for (const chain of details.other_chains) {
        expect(valueOf(answers.find({ serviceId, chain }))).toMatchObject({ service_id: serviceId, chain })
      }
    }
  })

  test('pages of a search without a question add up to every row of a network', () => {
    const keys = new Set<string>()
    let offset: number | null = 0
    let total = 0
    while (offset !== null) {
      const page: { results: { service_id: string }[]; total: number; next_offset: number | null } = valueOf(
        answers.search({ chain: 'ethereum', limit: 20, offset }),
      )
      for (const { service_id: id } of page.results) keys.add(id)
      total = page.total
      offset = page.next_offset
    }
    expect(keys.size).toBe(total)
    const ethereum = answers.discoverNetworks().networks.find(({ chain }) => chain === 'ethereum')
    expect(total).toBe(ethereum?.services ?? 0)
  })

  test('its MCP servers can be connected to', () => {
    const servers = valueOf(answers.mcpServers())
    expect(servers).toHaveLength(86)
    for (const { mcpEndpoint } of servers) expect(mcpEndpoint).toStartWith('https://')
  })
})
