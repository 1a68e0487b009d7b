import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'bun:test'

import { allCases, internalAddresses, mustBeBlocked, mustFailTls, mustWork } from './cases.ts'
import type { MatrixReport } from './cases.ts'
import { findNamespace } from '../../../scripts/world/network-namespace.ts'
import { covers } from '../../support/covers.ts'

const namespace = findNamespace(process.env['PATH'] ?? '')

test('the matrix has its forty cases', () => {
  expect([mustWork.length, mustFailTls.length, mustBeBlocked.length]).toEqual([3, 1, 36])
  expect(new Set(allCases.map(({ name }) => name)).size).toBe(40)
})

function describeMatrix(command: readonly string[], path: string): void {
  let report: MatrixReport

  beforeAll(async () => {
    const matrix = Bun.spawn([...command, process.execPath, 'tests/faults/ssrf/matrix.ts'], {
      cwd: join(import.meta.dir, '../../..'),
      env: { PATH: path },
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: 60_000,
    })
    const [printed, complaints] = await Promise.all([
      new Response(matrix.stdout).text(),
      new Response(matrix.stderr).text(),
    ])
    if ((await matrix.exited) !== 0) throw new Error(`the matrix did not run: ${complaints}`)
    report = JSON.parse(printed)
  }, 70_000)

  test.each(allCases.map((each) => [each.name, each.expected, each.url] as const))(
    '%s: %s (%s)',
    (name, expected) => {
      expect(report.cases[name]?.outcomes).toEqual([expected, expected])
    },
  )

  test('no internal address accepted a connection from the guarded fetch', () => {
    expect(report.acceptedFromGuarded).toBe(0)
  })

  test('the matrix can fail: a bare fetch gets in wherever no name has to be looked up', () => {
    const sharp = allCases.filter((each) => each.bareFetchGetsIn).map(({ name }) => name)
    expect(sharp.length).toBeGreaterThan(20)
    expect(sharp.filter((name) => report.cases[name]?.bareFetchGotIn !== true)).toEqual([])
    expect(internalAddresses.filter((address) => report.acceptedFromBare[address] === 0)).toEqual([])
  })
}

if (namespace.available) {
  const { command, path } = namespace
  describe('in a network of its own', () => {
    covers('threat-55')
    return describeMatrix(command, path)
  })
} else {
  const { missing } = namespace
  test.skipIf(process.env['CI'] !== 'true')(`SSRF matrix: ${missing}`, () => {
    throw new Error(`the matrix must run in CI: ${missing}`)
  })
}
