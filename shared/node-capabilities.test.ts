import { expect, test } from 'bun:test'

import { DeclaredCapabilities, capabilitiesOf, labelsOf } from './node-capabilities.ts'
import type { ServiceFacts } from './service-facts.ts'

const height = 100_000

test('what nobody declares is as verifiers found it', () => {
  const facts = { stateDepth: 128, logRange: 1_000, missingMethods: ['trace_block'], clientVersion: 'Geth/1' }
  expect(capabilitiesOf({}, facts, height)).toEqual({
    archive: false,
    lowestBlock: height - 128,
    logRange: 1_000,
    missingMethods: ['trace_block'],
    clientVersion: 'Geth/1',
    contradictions: [],
  })
  expect(capabilitiesOf({}, { stateDepth: null }, null)).toMatchObject({ archive: true, lowestBlock: 0 })
  expect(capabilitiesOf({}, { stateDepth: 128 }, null)).toMatchObject({ archive: false, lowestBlock: null })
  expect(capabilitiesOf({}, null, height)).toMatchObject({ archive: null, lowestBlock: null, logRange: null })
})

test('what is declared wins', () => {
  expect(capabilitiesOf({ archive: true }, { stateDepth: 128 }, height)).toMatchObject({
    archive: true,
    lowestBlock: 0,
  })
  expect(capabilitiesOf({ lowestBlock: 90_000 }, null, height)).toMatchObject({
    archive: false,
    lowestBlock: 90_000,
  })
  expect(capabilitiesOf({ lowestBlock: 0 }, null, height)).toMatchObject({ archive: true })
  expect(capabilitiesOf({ logRange: 50 }, { logRange: 10_000 }, height)).toMatchObject({ logRange: 50 })
})

test.each<[DeclaredCapabilities, ServiceFacts, readonly string[]]>([
  [{ archive: true }, { stateDepth: null }, []],
  [{ archive: true }, { stateDepth: 65_536 }, ['archive']],
  [{ archive: false }, { stateDepth: null }, ['archive']],
  [{ archive: true }, {}, []],
  [{ lowestBlock: height - 1_023 }, { stateDepth: 128 }, []], // between what worked and what did not
  [{ lowestBlock: height - 1_024 }, { stateDepth: 128 }, ['lowestBlock']],
  [{ lowestBlock: height - 128 }, { stateDepth: 0 }, ['lowestBlock']],
  [{ lowestBlock: 1 }, { stateDepth: 65_536 }, ['lowestBlock']],
  [{ lowestBlock: 2 }, { stateDepth: 65_536 }, []], // deeper than verifiers look
  [{ lowestBlock: 5 }, { stateDepth: null }, []],
  [{ logRange: 999 }, { logRange: 100 }, []],
  [{ logRange: 1_000 }, { logRange: 100 }, ['logRange']],
  [{ logRange: 1_000_000 }, { logRange: 10_000 }, []],
])('%o against %o: contradicts %o', (declared, facts, contradictions) => {
  expect(capabilitiesOf(declared, facts, height).contradictions).toEqual([...contradictions] as never[])
})

test('what contradicts itself is refused', () => {
  for (const wrong of [
    { archive: true, lowestBlock: 5 },
    { archive: false, lowestBlock: 0 },
    { lowestBlock: -1 },
    { lowestBlock: 0.5 },
    { logRange: 0 },
    { archived: true },
  ])
    expect(DeclaredCapabilities.safeParse(wrong).success).toBe(false)
  expect(DeclaredCapabilities.safeParse({ archive: true, lowestBlock: 0 }).success).toBe(true)
})

const labels = (declared: DeclaredCapabilities, facts: ServiceFacts | null) =>
  labelsOf(capabilitiesOf(declared, facts, height), declared)

test('labels', () => {
  expect(labels({}, { stateDepth: null, missingMethods: ['trace_block'] })).toEqual([
    'archive',
    'no trace_block',
  ])
  expect(labels({}, { stateDepth: 128 })).toEqual(['pruned'])
  expect(labels({}, null)).toEqual([])
  expect(labels({ lowestBlock: 15_000_000 }, null)).toEqual(['pruned', 'from block 15,000,000'])
})
