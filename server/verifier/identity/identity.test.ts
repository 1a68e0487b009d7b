import { afterEach, expect, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createVerifierIdentity, ensureVerifierIdentity, readVerifierIdentity } from './identity.ts'

const folders: string[] = []
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-identity-'))
  folders.push(folder)
  return folder
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

test('a signature verifies under the public key that the identity names', () => {
  const identity = createVerifierIdentity()
  expect(Buffer.from(identity.publicKey, 'base64')).toHaveLength(32)
  const x = Buffer.from(identity.publicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signature = Buffer.from(identity.sign('a text with ü'), 'base64')
  expect(verify(null, Buffer.from('a text with ü'), key, signature)).toBe(true)
  expect(verify(null, Buffer.from('another text'), key, signature)).toBe(false)
})

test('the private key is kept for its owner only, and comes back as the same identity', async () => {
  const folder = join(await emptyFolder(), 'state')
  const made = await ensureVerifierIdentity(folder)
  const [file] = await readdir(folder)
  expect(file).toBe('verifier-key.pem')
  expect((await stat(join(folder, 'verifier-key.pem'))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect((await ensureVerifierIdentity(folder)).publicKey).toBe(made.publicKey)
  expect(await readFile(join(folder, 'verifier-key.pem'), 'utf8')).toContain('PRIVATE KEY')
})

test('the mode is right also over a draft that a crash left behind', async () => {
  const folder = await emptyFolder()
  await writeFile(join(folder, 'verifier-key.pem.draft'), 'half a k', { mode: 0o644 })
  await createVerifierIdentity().saveIn(folder)
  expect((await stat(join(folder, 'verifier-key.pem'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['verifier-key.pem'])
})

test('an empty folder has no identity; a spoilt key is an error, not a new identity', async () => {
  const folder = await emptyFolder()
  expect(await readVerifierIdentity(folder)).toBeNull()
  await writeFile(join(folder, 'verifier-key.pem'), 'nonsense')
  await expect(readVerifierIdentity(folder)).rejects.toThrow()
  await expect(ensureVerifierIdentity(folder)).rejects.toThrow()
})
