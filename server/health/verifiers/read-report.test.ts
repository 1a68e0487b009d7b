import { describe, expect, test } from 'bun:test'

import { type ReportBatch, protocolLimits } from '../../../shared/verifier-protocol.ts'
import { Fault } from '../../platform/fault.ts'
import { batchOf, hash8, reportRoundOf, reportRowOf } from '../test-support/fixtures.ts'
import { readReport } from './read-report.ts'
import { covers } from '../../../tests/support/covers.ts'

const services = ['a', 'b']
const good = batchOf('ver_1', { services, rounds: [reportRoundOf([reportRowOf(0), reportRowOf(1)])] })
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

function refusalOf(body: Uint8Array): Fault {
  try {
    readReport(body, 'ver_1')
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('it was taken')
}

test('a good batch is read as it was sent', () => {
  expect(readReport(bytes(good), 'ver_1')).toEqual(good)
})

const rows = (count: number) => Array.from({ length: count }, () => reportRowOf(0))

test('as many observations as are allowed are taken, over any number of rounds', () => {
  const half = protocolLimits.observationsPerBatch / 2
  const full = { ...good, rounds: [reportRoundOf(rows(half)), reportRoundOf(rows(half))] }
  expect(readReport(bytes(full), 'ver_1').rounds).toHaveLength(2)
  const tooFull = { ...good, rounds: [reportRoundOf(rows(half)), reportRoundOf(rows(half + 1))] }
  expect(refusalOf(bytes(tooFull)).message).toBe('rounds: at most 2000 observations in a batch')
})

const withRow = (index: number, value: unknown) => {
  const row: unknown[] = [...reportRowOf(0)]
  row[index] = value
  return { rounds: [{ ...reportRoundOf([]), obs: [row] }] }
}
const withRound = (changes: object) => ({ rounds: [{ ...reportRoundOf([]), ...changes }] })

describe('a refusal names the field', () => {
  test.each<[field: string, changes: object]>([
    ['v', { v: 2 }],
    ['verifierId', { verifierId: 'ver_2' }],
    ['verifierId', { verifierId: '' }],
    ['seq', { seq: 0 }],
    ['seq', { seq: 1.5 }],
    ['seq', { seq: '1' }],
    ['sentAtMs', { sentAtMs: -1 }],
    ['isolated', { isolated: 'no' }],
    ['backfill', { backfill: undefined }],
    ['services', { services: Array.from({ length: protocolLimits.observationsPerBatch + 1 }, () => 'a') }],
    ['services[1]', { services: ['a', 'not allowed'] }],
    ['rounds', { rounds: {} }],
    ['rounds[0].chain', withRound({ chain: 5 })],
    ['rounds[0].ageMs', withRound({ ageMs: -1 })],
    ['rounds[0].ageMs', withRound({ ageMs: 0.5 })],
    ['rounds[0].spreadMs', withRound({ spreadMs: undefined })],
    ['rounds[0].obs', withRound({ obs: null })],
    ['rounds[0].obs: an index points past services', withRow(0, 2)],
    ['rounds[0].obs[0][0]', withRow(0, -1)],
    ['rounds[0].obs[0][1]', withRow(1, true)],
    ['rounds[0].obs[0][2]', withRow(2, 'GREMLINS')],
    ['rounds[0].obs[0][3]', withRow(3, 2 ** 53)],
    ['rounds[0].obs[0][4]', withRow(4, -1)],
    ['rounds[0].obs[0][5]', withRow(5, hash8.toUpperCase())],
    ['rounds[0].obs[0][6]', withRow(6, -1)],
    ['rounds[0].obs[0][7]', withRow(7, null)],
    [
      'rounds[0].checkpoint: an index points past services',
      withRound({ checkpoint: { height: 1, hashes: [[2, hash8]] } }),
    ],
    ['rounds[0].checkpoint.height', withRound({ checkpoint: { height: -1, hashes: [] } })],
    ['rounds[0].checkpoint.hashes[0][1]', withRound({ checkpoint: { height: 1, hashes: [[0, 'short']] } })],
    ['extra', { extra: 1 }],
    ['extra', withRound({ extra: 1 })],
  ])('%s', (field, changes) => {
    const refusal = refusalOf(bytes({ ...good, ...changes }))
    expect(refusal.code).toBe('invalid_request')
    expect(refusal.message).toContain(field)
  })
})

test('a refusal never repeats what was sent', () => {
  covers('error-messages')
  const secret = 'hunter2 hunter2'
  for (const field of Object.keys(good) as (keyof ReportBatch)[]) {
    expect(refusalOf(bytes({ ...good, [field]: secret })).message).not.toContain('hunter2')
  }
})

describe('what is no JSON is malformed', () => {
  test.each([
    ['nothing', new Uint8Array()],
    ['half an object', new TextEncoder().encode('{"v":1')],
    ['broken UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ])('%s', (_, body) => {
    expect(refusalOf(body)).toMatchObject({ code: 'bad_request', message: 'the body is not JSON' })
  })
})
