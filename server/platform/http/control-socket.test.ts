import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { checkedSocketPath, controlSocketPath, serveControlSocket } from './control-socket.ts'

let home: string
/** With a path that is too long for a socket. */
let privateFolder: string
let socketFolder: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gatehouse-socket-'))
  privateFolder = join(home, 'x'.repeat(100))
  mkdirSync(privateFolder, { mode: 0o700 })
  socketFolder = dirname(controlSocketPath(privateFolder))
})
afterEach(() => {
  rmSync(socketFolder, { recursive: true, force: true })
  rmSync(home, { recursive: true, force: true })
})

const ask = async (path: string) => (await fetch('http://localhost/', { unix: path })).text()
const answer = () => new Response('served')
const refusal = 'shorter path'

test('a short path has its socket inside the private folder', async () => {
  const control = serveControlSocket(home, answer)
  expect(checkedSocketPath(home)).toBe(join(home, 'control.sock'))
  expect(await ask(checkedSocketPath(home))).toBe('served')
  await control.stop()
  expect(existsSync(join(home, 'control.sock'))).toBe(false)
})

describe('a long path', () => {
  test('has it in a folder of its own that nobody else can enter', async () => {
    const control = serveControlSocket(privateFolder, answer)
    expect(await ask(checkedSocketPath(privateFolder))).toBe('served')
    expect(statSync(socketFolder).mode & 0o777).toBe(0o700)
    await control.stop()
    const again = serveControlSocket(privateFolder, answer) // the folder is still there
    expect(await ask(checkedSocketPath(privateFolder))).toBe('served')
    await again.stop()
  })

  test('is refused by server and client where the folder is a link to another one', () => {
    const elsewhere = join(home, 'elsewhere')
    mkdirSync(elsewhere, { mode: 0o700 })
    symlinkSync(elsewhere, socketFolder)
    expect(() => serveControlSocket(privateFolder, answer)).toThrow(refusal)
    expect(() => checkedSocketPath(privateFolder)).toThrow('was not made by Gatehouse')
    expect(existsSync(join(elsewhere, 'control.sock'))).toBe(false)
  })

  test('is refused where others can enter the folder', () => {
    mkdirSync(socketFolder)
    for (const mode of [0o755, 0o770, 0o701]) {
      chmodSync(socketFolder, mode)
      expect(() => serveControlSocket(privateFolder, answer)).toThrow(refusal)
      expect(() => checkedSocketPath(privateFolder)).toThrow('can be entered by other users')
    }
  })

  test.skipIf(process.getuid?.() !== 0)('is refused where the folder belongs to somebody else', () => {
    mkdirSync(socketFolder, { mode: 0o700 })
    chownSync(socketFolder, 65_534, 65_534)
    expect(() => serveControlSocket(privateFolder, answer)).toThrow(refusal)
    expect(() => checkedSocketPath(privateFolder)).toThrow('was not made by Gatehouse')
    chownSync(privateFolder, 65_534, 65_534) // unless the installation is theirs
    expect(checkedSocketPath(privateFolder)).toBe(controlSocketPath(privateFolder))
  })
})
