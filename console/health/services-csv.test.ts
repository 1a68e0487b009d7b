import { expect, test } from 'bun:test'

import type { ServiceSummary } from '../../shared/health-services.ts'
import { servicesCsv } from './services-csv.ts'

const service: ServiceSummary = {
  id: 'node-a',
  name: 'Node "A", Frankfurt',
  family: 'evm',
  chain: { key: 'ethereum', name: 'Ethereum' },
  provider: '=acme',
  labels: ['team:payments', 'eu'],
  objective: null,
  managedBy: 'file',
  decision: 'LATENCY',
  decisionSince: 1_800_000_000,
  liveVerifiers: 3,
  avgBlocksLatency: 12,
  avgTimeLatency: 144,
  timestamp: 1_800_000_100,
  maintenance: null,
  reason: '3 of 3 say LATENCY: blocks behind',
  pending: null,
}

test('the list is a file with a line for each service, harmless to a spreadsheet', () => {
  const page = {
    ...service,
    id: 'page',
    chain: null,
    family: 'http',
    decisionSince: null,
    reason: null,
    labels: [],
  } as const
  expect(servicesCsv([service, page]).split('\r\n').slice(1)).toEqual([
    `node-a,"Node ""A"", Frankfurt",ethereum,evm,'=acme,LATENCY,2027-01-15T08:00:00.000Z,12,144,3 of 3 say LATENCY: blocks behind,team:payments eu`,
    `page,"Node ""A"", Frankfurt",,http,'=acme,LATENCY,,12,144,,`,
    '',
  ])
})
