import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { HttpRule } from '../../../shared/health.ts'
import { type ParsedArguments, checked } from './command.ts'
import { parseArguments } from './parse-arguments.ts'
import {
  caOfFlags,
  capabilitiesOfFlags,
  headersOfFlags,
  ruleOfFlags,
  serviceFlags,
  textOfFlag,
} from './service-flags.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-flags-'))
afterAll(() => rmSync(folder, { recursive: true }))

function given(...args: string[]): ParsedArguments {
  const command = { name: 'add', about: '', positionals: [], flags: serviceFlags, run: async () => undefined }
  const reading = parseArguments(['add', ...args], [command])
  if (reading.kind !== 'run') throw new TypeError('these arguments are wrong')
  return reading.args
}

function fileWith(text: string): string {
  const path = join(folder, Bun.randomUUIDv7())
  writeFileSync(path, text)
  return path
}

describe('headers', () => {
  test('are given one by one, or in a file that others cannot see', async () => {
    const path = fileWith('Authorization: Bearer s3cret\n\nX-Tenant:a:b\n')
    expect(await headersOfFlags(given('--header', `@${path}`, '--header', 'x-more: 1'))).toEqual({
      Authorization: 'Bearer s3cret',
      'X-Tenant': 'a:b',
      'x-more': '1',
    })
    expect(await headersOfFlags(given())).toBeNull()
  })

  test('that make no sense are refused without their values', async () => {
    await expect(headersOfFlags(given('--header', 'Bearer s3cret'))).rejects.toThrow(
      '--header: expected NAME:VALUE, for instance "Authorization: Bearer …"',
    )
    await expect(headersOfFlags(given('--header', 'a: 1', '--header', 'A: s3cret'))).rejects.toThrow(
      '--header A is given twice',
    )
    await expect(headersOfFlags(given('--header', '@/nowhere/file'))).rejects.toThrow(
      '--header: /nowhere/file cannot be read',
    )
  })
})

test('an address may stand in a file, certificates always do', async () => {
  expect(await textOfFlag(given('--ws', 'wss://node.example/'), 'ws')).toBe('wss://node.example/')
  expect(await textOfFlag(given('--ws', `@${fileWith('wss://node.example/key\n')}`), 'ws')).toBe(
    'wss://node.example/key',
  )
  expect(await textOfFlag(given(), 'ws')).toBeNull()
  expect(await caOfFlags(given('--ca', fileWith('-----BEGIN')))).toBe('-----BEGIN')
  await expect(caOfFlags(given('--ca', folder))).rejects.toThrow('cannot be read')
})

const rule = (...values: string[]) => ruleOfFlags(given(...values.flatMap((value) => ['--rule', value])))

test('a rule can be said in full', () => {
  const whole = rule(
    'method=POST',
    'statuses=200,204',
    'contains=5',
    'matches=^\\d+$',
    'body={"a": 1}',
    'redirects=2',
    'json.path=$.data[0].status',
    'json.equals=ok',
  )
  expect(checked(HttpRule, whole)).toEqual({
    method: 'POST',
    statuses: [200, 204],
    contains: '5',
    matches: '^\\d+$',
    body: '{"a": 1}',
    redirects: 2,
    json: { path: '$.data[0].status', equals: 'ok' },
  })
  expect(rule()).toBeNull()
})

test.each([
  ['json.equals=5', { equals: 5 }],
  ['json.equals="5"', { equals: '5' }],
  ['json.equals=true', { equals: true }],
  ['json.equals=null', { equals: null }],
  ['json.min=-1.5', { min: -1.5 }],
])('%s', (value, json) => {
  expect(rule(value)).toEqual({ json })
})

test('the schema says what a rule and capabilities may be', () => {
  expect(() => checked(HttpRule, rule('statuses=ok'))).toThrow('statuses')
  expect(() => checked(HttpRule, rule('json.pth=$.a'))).toThrow('pth')
  expect(() => rule('contains')).toThrow(
    '--rule contains: expected key=value, for instance json.path=$.status',
  )
  expect(capabilitiesOfFlags(given('--capability', 'archive=true', '--capability', 'logRange=500'))).toEqual({
    archive: true,
    logRange: 500,
  })
})
