import { expect, test } from 'bun:test'
import { mount } from '@vue/test-utils'

import type { ServicePage } from '../../shared/health-services.ts'
import FactsCard from './FactsCard.vue'
import { declaredLines, factLabels, factLines } from './service-facts.ts'

test('what is declared is told beside what was found', () => {
  const lines = declaredLines({ archive: false, lowestBlock: 15_000_000, logRange: 1 }, [
    'archive',
    'logRange',
  ])
  expect(lines.map(({ title, text }) => `${title}: ${text}`)).toEqual([
    'Declared: no archive node, state from block 15,000,000 on, logs of 1 block in one query',
    'Found otherwise: archive, log range',
  ])
  expect(declaredLines({}, [])).toEqual([])
})

test('facts that nobody repeated are told with their age', async () => {
  const now = Date.now()
  const factsAt = (ageMs: number) => Math.floor((now - ageMs) / 1_000)
  const service = {
    summary: { labels: ['eu'] },
    declared: {},
    contradictions: [],
    facts: { clientVersion: 'Geth/1' },
  }
  const mounted = (ageMs: number) =>
    mount(FactsCard, {
      props: { service: { ...service, factsAt: factsAt(ageMs) } as unknown as ServicePage, answeredAt: now },
    }).text()
  expect(mounted(60_000)).not.toContain('Reported')
  expect(mounted(60_000)).toContain('Labelseu')
  expect(mounted(2 * 3_600_000)).toContain('Reported 2 hours ago; verifiers have not repeated it since.')
})

test('a node of another chain is told with what it names and what was expected', () => {
  const [line] = factLines({ otherChain: { named: '137', expected: '1' } }, 0)
  expect(`${line?.title}: ${line?.text}`).toBe('Chain: it names 137, not 1')
})

test('client and log range are short enough for labels; what is declared comes first', () => {
  const found = { clientVersion: 'Geth/v1.14.0/linux-amd64/go1.22', logRange: 1_000 }
  expect(factLabels(found, {})).toEqual(['logs up to 1,000 blocks', 'Geth/v1.14.0'])
  expect(factLabels(found, { logRange: 10_000 })[0]).toBe('logs up to 10,000 blocks')
  expect(factLabels(null, {})).toEqual([])
})
