import { expect, test } from 'bun:test'

import { describeProblem, readDeclarativeFile } from './declarative-file.ts'

const problemsOf = (text: string): string[] => {
  const reading = readDeclarativeFile(text)
  return reading.kind === 'problems'
    ? reading.problems.map((problem) => describeProblem('g.yaml', problem))
    : []
}

const example = `
chains:
  testnet: { family: evm, chainId: 31337, blockMs: 1000 }
services:
  - id: node-a
    name: Node A
    chain: testnet
    provider: acme
    endpoint: http://127.0.0.1:8545
    policy: { intervalMs: 1000, enterBlocks: 5, enterSec: 5 }
verifiers: { builtIn: true }
`

test('the documented example is read as it stands', () => {
  const reading = readDeclarativeFile(example)
  expect(reading.kind === 'content' && reading.content).toEqual({
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
    services: [
      {
        id: 'node-a',
        name: 'Node A',
        chain: 'testnet',
        provider: 'acme',
        endpoint: 'http://127.0.0.1:8545',
        policy: { intervalMs: 1000, enterBlocks: 5, enterSec: 5 },
      },
    ],
    verifiers: { builtIn: true, canaries: [], defaultCanaries: true },
    endpoints: [],
    queryKeyTypes: ['freeRPC'],
    plans: [],
    signUp: {},
    creditPrices: {},
    queryKeyDefaults: {},
    cache: { memoryMb: 32, store: 'none', storeHours: 24 },
    virtualServers: [],
    oauthIssuers: [],
    status: [],
    registry: { refreshHours: 24, links: [] },
    toolPolicies: {},
    channels: [],
    alerts: [],
    maintenance: [],
    statements: { channels: [] },
  })
})

test('an empty file is an empty set', () => {
  expect(readDeclarativeFile('').kind).toBe('content')
  expect(readDeclarativeFile('# nothing yet\n').kind).toBe('content')
})

test('a mistake names file, line and field', () => {
  const [problem] = problemsOf(example.replace('enterBlocks: 5', 'enterBlocks: many'))
  expect(problem).toBe('g.yaml:10: services[0].policy.enterBlocks: expected a number')
})

test('an unknown field is named at its own line, a missing one at the thing that lacks it', () => {
  expect(problemsOf(example.replace('provider: acme', 'provder: acme'))).toEqual([
    expect.stringContaining('g.yaml:5: services[0].provider: '),
    'g.yaml:8: services[0].provder: no such field',
  ])
  expect(problemsOf('sevices: []')).toEqual(['g.yaml:1: sevices: no such field'])
})

test('broken YAML and a doubled key are syntax mistakes with their line', () => {
  expect(problemsOf('services:\n  - id: [a\n')[0]).toStartWith('g.yaml:')
  expect(problemsOf('services: []\nservices: []\n')[0]).toBe('g.yaml:2: (syntax): Map keys must be unique')
})

test('a mistake of meaning gets its line later', () => {
  const reading = readDeclarativeFile(example)
  if (reading.kind !== 'content') throw new Error('expected content')
  expect(describeProblem('g.yaml', reading.problemAt(['services', 0, 'chain'], 'unknown chain'))).toBe(
    'g.yaml:7: services[0].chain: unknown chain',
  )
})

test('what stands where the parser stumbles is not repeated, for it may be a secret', () => {
  expect(problemsOf('services:\n  - name: *hunter2\n')).toEqual([
    'g.yaml:2: (syntax): An alias needs an anchor; a text that begins with * needs quotes',
  ])
  expect(problemsOf('services: |2x hunter2\n').join()).not.toContain('hunter2')
})

test('what would be read as something else than is written is a mistake', () => {
  expect(problemsOf('services:\n  - name: !hunter2 SECRET\n')).toEqual([
    'g.yaml:2: (syntax): Tags such as !env are not supported; a text that begins with ! needs quotes',
  ])
  expect(problemsOf('%YAML 1.3\n---\nservices: []\n')).toEqual([
    'g.yaml:1: (syntax): Unsupported YAML version 1.3',
  ])
})

test('a file that is no object says so', () => {
  expect(problemsOf('hello')).toEqual(['g.yaml: (file): expected an object'])
})

test('many services share what stands at an anchor', () => {
  const services = Array.from(
    { length: 300 },
    (_, index) =>
      `  - { name: n${index}, family: http, provider: p, endpoint: "https://n${index}.example/", policy: *shared }\n`,
  )
  const first = services[0]?.replace('*shared', '&shared { intervalMs: 1000 }')
  const reading = readDeclarativeFile(`services:\n${first}${services.slice(1).join('')}`)
  expect(reading.kind === 'content' && reading.content.services.at(-1)?.policy).toEqual({ intervalMs: 1_000 })
})

test('aliases that stand for too much are refused before they are written out', () => {
  const bomb = Array.from({ length: 9 }, (_, level) => {
    const one = level === 0 ? 'x' : `*a${level - 1}`
    return `a${level}: &a${level} [${Array(9).fill(one).join(', ')}]\n`
  })
  expect(problemsOf(bomb.join(''))).toEqual([
    'g.yaml: (file): aliases of one anchor may stand for at most 100000 values; write some of them out',
  ])
})

test('an alias within its own anchor is a mistake of its line', () => {
  expect(problemsOf('services: &all\n  - *all\n')).toEqual([
    'g.yaml:2: (syntax): An alias needs an anchor; a text that begins with * needs quotes',
  ])
})

test.each([
  ['channels', '- { name: a, type: slack, url: https://chat.example/x }'],
  ['plans', '- { name: a, maxKeys: 1 }'],
  ['alerts', '- { name: a, when: { change: true } }'],
])('of two %s with one name the second is pointed at', (section, entry) => {
  expect(problemsOf(`${section}:\n  ${entry}\n  # again\n  ${entry}\n`)).toEqual([
    `g.yaml:4: ${section}[1].name: expected no name twice`,
  ])
})
