import { afterEach, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createMemoryState, createState, openVerifierState } from './state.ts'

const folders: string[] = []
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-state-'))
  folders.push(folder)
  return folder
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

test('what was kept is there after a restart', async () => {
  const folder = await emptyFolder()
  const state = await createState(folder, 'ver_1', 'hash of a token')
  expect(state.lastSeq()).toBe(0)
  await state.saveSeq(1_800_000_000_000_123)
  const opened = await openVerifierState(folder)
  if (opened.kind !== 'found') throw new Error(opened.kind)
  expect(opened.state.verifierId).toBe('ver_1')
  expect(opened.state.lastSeq()).toBe(1_800_000_000_000_123)
  expect(opened.tokenHash).toBe('hash of a token')
})

test('the file is replaced whole and readable by its owner only', async () => {
  const folder = await emptyFolder()
  const state = await createState(folder, 'ver_1', '')
  await state.saveSeq(5)
  expect(await readdir(folder)).toEqual(['verifier.json'])
  expect((await stat(join(folder, 'verifier.json'))).mode & 0o777).toBe(0o600)
})

test('nothing there, or nothing readable', async () => {
  const folder = await emptyFolder()
  expect(await openVerifierState(folder)).toEqual({ kind: 'absent' })
  const path = join(folder, 'verifier.json')
  for (const text of ['', '{', '{}', '{"verifierId":"ver_1","tokenHash":"","lastSeq":-1}']) {
    await writeFile(path, text)
    expect(await openVerifierState(folder)).toEqual({ kind: 'damaged', path })
  }
})

test('the number in memory rises even when the file cannot be written', async () => {
  const folder = await emptyFolder()
  const state = await createState(folder, 'ver_1', '')
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file where the folder was')
  await expect(state.saveSeq(7)).rejects.toThrow()
  expect(state.lastSeq()).toBe(7)
})

test('memory state starts where it is told to', async () => {
  const state = createMemoryState('ver_1', 41)
  await state.saveSeq(state.lastSeq() + 1)
  expect(state.lastSeq()).toBe(42)
})
