import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createVault } from '../platform/vault.ts'
import { installationSecrets, privateFolder } from './data-folder.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-data-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const nothingGiven = { masterKeys: null, metricsToken: null }
const file = (name: string) => join(privateFolder(dataDir), name)
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('secrets that nobody set', () => {
  test('are made once and kept', async () => {
    const first = await installationSecrets(dataDir, nothingGiven)
    expect(await installationSecrets(dataDir, nothingGiven)).toEqual(first)
    expect(first.masterKeys).toHaveLength(1)
    expect(first.metricsToken).toMatch(/^[\w-]{32}$/)
    const vault = createVault(first.masterKeys)
    expect(vault.open(vault.seal('text', 'place'), 'place')).toBe('text')
  })

  test('are others for each installation', async () => {
    const first = await installationSecrets(dataDir, nothingGiven)
    rmSync(privateFolder(dataDir), { recursive: true })
    const second = await installationSecrets(dataDir, nothingGiven)
    expect(second.masterKeys[0].equals(first.masterKeys[0])).toBe(false)
    expect(second.metricsToken).not.toBe(first.metricsToken)
  })

  test('can be read by nobody else', async () => {
    await installationSecrets(dataDir, nothingGiven)
    expect(modeOf(privateFolder(dataDir))).toBe('700')
    for (const name of ['master-key', 'metrics-token']) expect(modeOf(file(name))).toBe('600')
    expect(readdirSync(privateFolder(dataDir)).sort()).toEqual(['master-key', 'metrics-token'])
  })

  test('are whole or not there: a draft that a crash left behind is replaced, its mode too', async () => {
    await installationSecrets(dataDir, nothingGiven)
    rmSync(file('master-key'))
    writeFileSync(`${file('master-key')}.draft`, 'half', { mode: 0o644 })
    await installationSecrets(dataDir, nothingGiven)
    expect(modeOf(file('master-key'))).toBe('600')
    expect(readdirSync(privateFolder(dataDir))).not.toContain('master-key.draft')
  })

  test.each([
    ['an empty file', ''],
    ['half a key', randomBytes(16).toString('base64')],
  ])('are not replaced when they were damaged: %s is an error that names the file', async (_, text) => {
    await installationSecrets(dataDir, nothingGiven)
    for (const name of ['master-key', 'metrics-token']) {
      const before = readFileSync(file(name), 'utf8')
      writeFileSync(file(name), text)
      await expect(installationSecrets(dataDir, nothingGiven)).rejects.toThrow(`${file(name)} is damaged`)
      expect(readFileSync(file(name), 'utf8')).toBe(text)
      writeFileSync(file(name), before)
    }
  })
})

test('secrets that were given are used, and nothing is written', async () => {
  const keys = [randomBytes(32), randomBytes(32)]
  const given = { masterKeys: keys.map((key) => key.toString('base64')), metricsToken: 'given' }
  const secrets = await installationSecrets(dataDir, given)
  expect(secrets.masterKeys.map((key) => key.toString('hex'))).toEqual(keys.map((key) => key.toString('hex')))
  expect(secrets.metricsToken).toBe('given')
  expect(readdirSync(dataDir)).toEqual([])
})
