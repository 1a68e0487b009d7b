import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ScriptProcess, startScript } from '../../../scripts/world/database-process.ts'
import { InstanceLockedError, lockInstance } from './instance-lock.ts'

const folders: string[] = []
const scripts: ScriptProcess[] = []

afterEach(async () => {
  await Promise.all(scripts.splice(0).map((script) => script.kill()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lock-'))
  folders.push(folder)
  return join(folder, 'data')
}

/** A process that waits for a line, tries to take the lock, says what came of it, and stays. */
function startContender(dataDir: string): ScriptProcess {
  const script = startScript(`
    import { lockInstance } from './server/platform/postgres/instance-lock.ts'
    console.log('waiting')
    for await (const line of console) {
      try { lockInstance(${JSON.stringify(dataDir)}); console.log('won') }
      catch (error) { console.log(error.name + ': ' + error.message) }
    }`)
  scripts.push(script)
  return script
}

async function contend(contender: ScriptProcess): Promise<string> {
  await contender.nextLine()
  contender.send('go')
  return contender.nextLine()
}

test('a second process is told in one sentence who uses the data folder', async () => {
  const dataDir = newDataDir()
  const first = startContender(dataDir)
  expect(await contend(first)).toBe('won')

  expect(() => lockInstance(dataDir)).toThrow(InstanceLockedError)
  expect(() => lockInstance(dataDir)).toThrow(
    `another Gatehouse (pid ${first.pid}) already uses the data folder ${dataDir}`,
  )
})

test('the lock of a process that was killed is free at once', async () => {
  const dataDir = newDataDir()
  for (let round = 0; round < 3; round++) {
    const contender = startContender(dataDir)
    expect(await contend(contender)).toBe('won')
    await contender.kill()
  }
  lockInstance(dataDir).release()
})

test('a pid file that names a living stranger does not keep anybody out', () => {
  const dataDir = newDataDir()
  lockInstance(dataDir).release()
  writeFileSync(join(dataDir, 'instance.pid'), '1\n')
  const lock = lockInstance(dataDir)
  expect(readFileSync(join(dataDir, 'instance.pid'), 'utf8')).toBe(`${process.pid}\n`)
  lock.release()
})

test('of processes that start at once exactly one wins', async () => {
  for (let round = 0; round < 5; round++) {
    const dataDir = newDataDir()
    const contenders = [1, 2, 3, 4].map(() => startContender(dataDir))
    await Promise.all(contenders.map((contender) => contender.nextLine()))
    for (const contender of contenders) contender.send('go')
    const answers = await Promise.all(contenders.map((contender) => contender.nextLine()))
    const refusals = answers.filter((answer) => answer.startsWith('InstanceLockedError: another Gatehouse'))
    expect(answers.filter((answer) => answer === 'won')).toHaveLength(1)
    expect(refusals).toHaveLength(3)
    await Promise.all(contenders.map((contender) => contender.kill()))
  }
})

test('two callers in one process exclude each other, until release', () => {
  const dataDir = newDataDir()
  const lock = lockInstance(dataDir)
  expect(() => lockInstance(dataDir)).toThrow(InstanceLockedError)
  lock.release()
  lock.release()
  lockInstance(dataDir).release()
})

test('a lock whose owner forgot the returned value survives garbage collection', () => {
  const dataDir = newDataDir()
  lockInstance(dataDir)
  Bun.gc(true)
  expect(() => lockInstance(dataDir)).toThrow(InstanceLockedError)
})

test('locks of different names do not meet', () => {
  const dataDir = newDataDir()
  const instance = lockInstance(dataDir)
  const database = lockInstance(dataDir, 'postgres')
  database.release()
  instance.release()
})

test('a folder that cannot be made is named, with the setting that names another', () => {
  const inPlace = newDataDir()
  writeFileSync(inPlace, '')
  for (const folder of [inPlace, join(inPlace, 'below')]) {
    expect(() => lockInstance(folder)).toThrow(
      new RegExp(
        `^the data folder ${folder} cannot be made \\(E[A-Z]+: .+\\); name another by GATEHOUSE_DATA_DIR$`,
      ),
    )
  }
})

test('a folder that cannot be locked is an error of its own', () => {
  const dataDir = newDataDir()
  lockInstance(dataDir).release()
  writeFileSync(join(dataDir, 'instance.lock'), 'x'.repeat(4096))
  expect(() => lockInstance(dataDir)).toThrow(`cannot lock the data folder ${dataDir}`)
})

test('a folder of another user names the folder and its owner', () => {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    expect(() => lockInstance('/')).toThrow(
      /^the data folder \/ belongs to another user \(id 0, while this is [1-9]\d*\); run this as that user$/,
    )
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
})
