import { expect, test } from 'bun:test'

import { unrecorded } from '../../scripts/world/database.ts'
import { specOf } from './test-support/fixtures.ts'
import { createHealthTestbed } from './test-support/health-testbed.ts'

const second = 1_000
const { clock, database, start, enrol, report } = createHealthTestbed()

const stored = async () => {
  const rows = await database().run((sql) => sql`SELECT service_id FROM service_facts ORDER BY service_id`)
  return rows.map(({ service_id: id }) => id as string)
}

test('facts survive a restart with their age, but for those that change by themselves', async () => {
  const first = await start(specOf('a'))
  const verifier = await enrol(first)
  const reportedAt = clock.now() / second
  report(first, verifier, ['a'], { facts: [[0, { stateDepth: null, clientVersion: 'Geth/1', peers: 3 }]] })
  expect(first.details('a')).toMatchObject({ facts: { peers: 3 }, factsAt: reportedAt, labels: ['archive'] })
  await first.stop()
  clock.advance(3_600 * second)
  const health = await start(specOf('a'))
  expect(health.details('a')).toMatchObject({ labels: ['archive'], factsAt: reportedAt })
  expect(health.details('a').facts).toEqual({ stateDepth: null, clientVersion: 'Geth/1' })
  expect(health.capabilities('a')).toMatchObject({ archive: true, lowestBlock: 0, clientVersion: 'Geth/1' })
  expect(() => health.capabilities('nobody')).toThrow('no service of this id')
})

test('after a month nothing is restored, and the row goes with the next one that is stored', async () => {
  const first = await start(specOf('a'), specOf('b'))
  const verifier = await enrol(first)
  report(first, verifier, ['a'], { facts: [[0, { stateDepth: null }]] })
  await first.stop()
  clock.advance(31 * 86_400 * second)
  const health = await start(specOf('a'), specOf('b'))
  expect(health.details('a')).toMatchObject({ labels: [], facts: null, factsAt: null })
  report(health, verifier, ['b'], { facts: [[0, { stateDepth: 128 }]] })
  await health.stop()
  expect(await stored()).toEqual(['b'])
})

test('a revoked verifier takes what it said with it, also what is stored', async () => {
  const first = await start(specOf('a'), specOf('b'))
  const [one, two] = [await enrol(first), await enrol(first)]
  report(first, one, ['a', 'b'], { facts: [[0, { stateDepth: null }]] })
  report(first, two, ['a', 'b'], { facts: [[1, { stateDepth: 128 }]] })
  await first.stop()
  expect(await stored()).toEqual(['a', 'b'])
  const again = await start(specOf('a'), specOf('b'))
  await again.verifiers.revoke(one.verifierId, unrecorded)
  expect([again.details('a').labels, again.details('b').labels]).toEqual([[], ['pruned']])
  await again.stop()
  expect(await stored()).toEqual(['b'])
})

test('a removed service takes its facts with it', async () => {
  const health = await start()
  await health.services.add(specOf('mine'), unrecorded)
  report(health, await enrol(health), ['mine'], { facts: [[0, { stateDepth: null }]] })
  await health.stop()
  const again = await start()
  expect(again.details('mine').labels).toEqual(['archive'])
  await again.services.remove('mine', unrecorded)
  expect(await stored()).toEqual([])
})

test('facts of another address are not shown, nor restored', async () => {
  const first = await start(specOf('a'))
  const mine = specOf('mine')
  await first.services.add(mine, unrecorded)
  const verifier = await enrol(first)
  report(first, verifier, ['a', 'mine'], {
    facts: [
      [0, { stateDepth: null }],
      [1, { stateDepth: null }],
    ],
  })
  expect([first.details('a').labels, first.details('mine').labels]).toEqual([['archive'], ['archive']])
  await first.services.update({ id: 'mine', name: 'renamed' }, unrecorded)
  expect(first.details('mine').labels).toEqual(['archive'])
  await first.services.update({ id: 'mine', endpoint: 'https://moved.example/' }, unrecorded)
  expect(first.details('mine')).toMatchObject({ labels: [], facts: null })
  await first.stop()
  // The file was changed while the server was not running.
  const health = await start(specOf('a', { endpoint: 'https://moved.example/' }))
  expect([health.details('a').labels, health.details('mine').labels]).toEqual([[], []])
})

test('what an operator declares is stored, changed and removed', async () => {
  const first = await start()
  await first.services.add(specOf('mine', { capabilities: { archive: true, logRange: 500 } }), unrecorded)
  await first.stop()
  const health = await start()
  expect(health.services.settings('mine').capabilities).toEqual({ archive: true, logRange: 500 })
  expect(health.capabilities('mine')).toMatchObject({ archive: true, lowestBlock: 0, logRange: 500 })
  await health.services.update({ id: 'mine', name: 'renamed' }, unrecorded)
  expect(health.details('mine').labels).toEqual(['archive'])
  await health.services.update({ id: 'mine', capabilities: { lowestBlock: 7_000 } }, unrecorded)
  expect(health.details('mine').labels).toEqual(['pruned', 'from block 7,000'])
  await health.services.update({ id: 'mine', capabilities: {} }, unrecorded)
  expect(health.details('mine').labels).toEqual([])
  await expect(
    health.services.add(
      specOf('site', { chain: undefined, family: 'http', capabilities: { archive: true } }),
      unrecorded,
    ),
  ).rejects.toThrow('capabilities: not allowed for family http, which reads no chain')
})
