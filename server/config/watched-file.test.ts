import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { silentLog } from '../../scripts/world/database.ts'
import { type ApplyFile, type WatchedFile, createWatchedFile } from './watched-file.ts'

let folder: string
let path: string
const open: WatchedFile[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-file-'))
  path = join(folder, 'gatehouse.yaml')
})
afterEach(async () => {
  for (const file of open.splice(0)) await file.close()
  rmSync(folder, { recursive: true, force: true })
})

const withServices = (...names: string[]) =>
  [
    'services:',
    ...names.map(
      (name) => `  - { name: ${name}, family: http, provider: p, endpoint: "https://${name}.example/" }`,
    ),
  ].join('\n')

/** Remembers what was active, by the names of its services; the name `bad` is a mistake of meaning. */
function setUp(apply?: ApplyFile) {
  const active: string[] = []
  const logged: string[] = []
  const file = createWatchedFile(
    path,
    { ...silentLog, error: (message) => void logged.push(message) },
    apply ??
      (async ({ services }, problemAt) => {
        const bad = services.findIndex(({ name }) => name === 'bad')
        if (bad !== -1) return [problemAt(['services', bad, 'name'], 'is bad')]
        active.push(services.map(({ name }) => name).join())
        return []
      }),
    2,
  )
  open.push(file)
  return { file, active, logged }
}

describe('reading', () => {
  test('makes the file active', async () => {
    writeFileSync(path, withServices('a', 'b'))
    const { file, active } = setUp()
    expect(await file.reload()).toBe(true)
    expect(active).toEqual(['a,b'])
    expect([file.exists, file.problems]).toEqual([true, []])
  })

  test('what stays active is logged only where something is', async () => {
    writeFileSync(path, withServices('bad'))
    const { file, logged } = setUp()
    expect(await file.reload()).toBe(false)
    expect([file.problems.length, logged]).toEqual([1, []])
    writeFileSync(path, withServices('a'))
    expect(await file.reload()).toBe(true)
    writeFileSync(path, withServices('bad'))
    expect(await file.reload()).toBe(false)
    expect(logged).toEqual(['the file has mistakes; the previous content stays active'])
  })

  test('without a file the empty set is active', async () => {
    const { file, active } = setUp()
    expect(await file.reload()).toBe(true)
    expect(active).toEqual([''])
    expect(file.exists).toBe(false)
  })

  test.each([
    ['of form', 'services: 5', 'gatehouse.yaml:1: services'],
    ['of syntax', 'services: [', 'gatehouse.yaml:1: (syntax)'],
    ['of encoding', Buffer.from(withServices('Zürich'), 'latin1'), 'gatehouse.yaml: (file): it is not UTF-8'],
    [
      'of UTF-16',
      Buffer.from(`\ufeff${withServices('a')}`, 'utf16le'),
      'gatehouse.yaml: (file): it is not UTF-8',
    ],
    ['of meaning', withServices('a', 'bad'), 'gatehouse.yaml:3: services[1].name: is bad'],
  ])('a mistake %s is told with its line, and the last good set stays', async (_, text, problem) => {
    writeFileSync(path, withServices('good'))
    const { file, active } = setUp()
    await file.reload()
    writeFileSync(path, text)
    expect(await file.reload()).toBe(false)
    expect(file.problems[0]).toStartWith(problem)
    expect(active).toEqual(['good'])
    writeFileSync(path, withServices('better'))
    expect(await file.reload()).toBe(true)
    expect(file.problems).toEqual([])
    expect(active).toEqual(['good', 'better'])
  })

  test('a file that has gone, or cannot be read, is a mistake: nobody loses services by an accident', async () => {
    writeFileSync(path, withServices('good'))
    const { file, active } = setUp()
    await file.reload()
    rmSync(path)
    expect(await file.reload()).toBe(false)
    expect(file.problems).toEqual(['gatehouse.yaml: (file): it is gone'])
    mkdirSync(path)
    expect(await file.reload()).toBe(false)
    expect(file.problems).toEqual(['gatehouse.yaml: (file): it cannot be read'])
    rmSync(path, { recursive: true })
    writeFileSync(path, '{}')
    expect(await file.reload()).toBe(true)
    expect(active).toEqual(['good', ''])
  })

  test.each(['', '\n\n', '# services: []\n', '---\n', 'null'])(
    'a file that was emptied (%j) is a mistake too, as one is that is being written anew',
    async (text) => {
      writeFileSync(path, withServices('good'))
      const { file, active } = setUp()
      await file.reload()
      writeFileSync(path, text)
      expect(await file.reload()).toBe(false)
      expect(file.problems).toEqual([
        'gatehouse.yaml: (file): it is empty; write {} if nothing is to be declared',
      ])
      writeFileSync(path, withServices('better'))
      expect(await file.reload()).toBe(true)
      expect(active).toEqual(['good', 'better'])
    },
  )

  test('a file that is empty from the start takes nothing away, nor does its removal', async () => {
    writeFileSync(path, '')
    const { file, active } = setUp()
    expect(await file.reload()).toBe(true)
    rmSync(path)
    expect(await file.reload()).toBe(true)
    writeFileSync(path, withServices('first'))
    expect(await file.reload()).toBe(true)
    expect(active).toEqual(['', '', 'first'])
  })
})

describe('order', () => {
  test('an older content never overtakes a newer one, however long it takes', async () => {
    const order: string[] = []
    const release = new Map<string, () => void>()
    const { file } = setUp(async ({ services: [first] }) => {
      order.push(`begin ${first?.name}`)
      await new Promise<void>((resolve) => release.set(first?.name ?? '', resolve))
      order.push(`end ${first?.name}`)
      return []
    })
    writeFileSync(path, withServices('old'))
    const old = file.reload()
    await waitUntil('the old one is under way', () => release.has('old'))
    writeFileSync(path, withServices('new'))
    const newer = file.reload()
    release.get('old')?.()
    await waitUntil('the new one is under way', () => release.has('new'))
    release.get('new')?.()
    expect(await Promise.all([old, newer])).toEqual([true, true])
    expect(order).toEqual(['begin old', 'end old', 'begin new', 'end new'])
  })

  test('one that fails does not stop those after it', async () => {
    let isFailing = true
    const { file } = setUp(async () => {
      if (isFailing) throw new Error('the database is away')
      return []
    })
    writeFileSync(path, '')
    await expect(file.reload()).rejects.toThrow('the database is away')
    isFailing = false
    expect(await file.reload()).toBe(true)
  })
})

const seesIt = (active: string[], names: string) =>
  waitUntil(`${names} active`, () => active.at(-1) === names)

describe('watching', () => {
  test('a file is read again when it is written, swapped, or comes into being', async () => {
    const { file, active } = setUp()
    await file.reload()
    file.watch()
    writeFileSync(path, withServices('made'))
    await seesIt(active, 'made')
    writeFileSync(path, withServices('written'))
    await seesIt(active, 'written')
    writeFileSync(`${path}.new`, withServices('swapped'))
    renameSync(`${path}.new`, path)
    await seesIt(active, 'swapped')
  })

  test('what could not be applied is said, and becomes active without another edit', async () => {
    const names: string[] = []
    let isAway = false
    let tries = 0
    const { file, logged } = setUp(async ({ services: [first] }) => {
      if (isAway && ++tries > 0) throw new Error('the database is away')
      names.push(first?.name ?? '')
      return []
    })
    await file.reload()
    file.watch()
    isAway = true
    writeFileSync(path, withServices('late'))
    await waitUntil('it was tried again and again', () => tries >= 3)
    expect(file.problems).toEqual([
      'gatehouse.yaml: (file): it could not be applied, which is tried again: the database is away',
    ])
    expect(logged).toEqual(['the file could not be applied; the previous content stays active'])
    isAway = false
    await seesIt(names, 'late')
    await waitUntil('the problem is gone', () => file.problems.length === 0)
  })

  test('a mistake whose reason lies outside the file is gone when that is, and is logged once', async () => {
    const allowed = new Set<string>()
    const names: string[] = []
    let refused = 0
    const { file, logged } = setUp(async ({ services: [first] }, problemAt) => {
      if (first !== undefined && !allowed.has(first.name) && ++refused > 0)
        return [problemAt(['services', 0, 'endpoint'], 'a private address')]
      names.push(first?.name ?? '')
      return []
    })
    await file.reload()
    file.watch()
    writeFileSync(path, withServices('near'))
    await waitUntil('it was read again and again', () => refused >= 3)
    expect(logged).toEqual(['the file has mistakes; the previous content stays active'])
    allowed.add('near')
    await seesIt(names, 'near')
    await waitUntil('the problem is gone', () => file.problems.length === 0)
  })

  test('what was written before the watch began is not missed, and nothing is read twice', async () => {
    writeFileSync(path, withServices('a'))
    const { file, active } = setUp()
    await file.reload()
    writeFileSync(path, withServices('b'))
    file.watch()
    await seesIt(active, 'b')
    writeFileSync(path, withServices('c'))
    await seesIt(active, 'c')
    expect(active).toEqual(['a', 'b', 'c'])
  })
})
