import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'

import { createVault } from './vault.ts'

const place = 'services:node-a:access'

test('what was sealed opens again, and two seals of one value differ', () => {
  const vault = createVault([randomBytes(32)])
  const sealed = vault.seal('https://user:secret@node/', place)
  expect(vault.open(sealed, place)).toBe('https://user:secret@node/')
  expect(vault.seal('https://user:secret@node/', place)).not.toBe(sealed)
  expect(sealed).not.toContain('secret')
})

test('a flipped byte, another place and an unknown key are refused', () => {
  const vault = createVault([randomBytes(32)])
  const sealed = vault.seal('value', place)
  const [version, id, body = ''] = sealed.split('.')
  const bytes = Buffer.from(body, 'base64url')
  for (let index = 0; index < bytes.length; index++) {
    const altered = Buffer.from(bytes)
    altered[index] = (altered[index] ?? 0) ^ 1
    expect(() => vault.open(`${version}.${id}.${altered.toString('base64url')}`, place)).toThrow()
  }
  expect(() => vault.open(sealed, 'services:node-b:access')).toThrow()
  expect(() => createVault([randomBytes(32)]).open(sealed, place)).toThrow('another master key')
  expect(() => vault.open(`v1.${id}.AAAA`, place)).toThrow('too short')
})

test('a rotated vault opens what the old key sealed, and seals with the new one', () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
  const sealed = createVault([oldKey]).seal('value', place)
  const rotated = createVault([newKey, oldKey])
  expect(rotated.open(sealed, place)).toBe('value')
  expect(createVault([newKey]).open(rotated.seal('value', place), place)).toBe('value')
})
