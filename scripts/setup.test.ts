import { afterAll, beforeEach, expect, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A clone with set-up scripts and a lock file, and a folder of commands in which package managers are stand-ins. */
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-setup-'))
const clone = join(folder, 'clone')
const commands = join(folder, 'commands')
const sh = Bun.which('sh') ?? '/bin/sh'
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const workingBun = `mkdir -p node_modules/.bin; printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/bun; chmod +x node_modules/.bin/bun`
const placeholderBun = workingBun.replace('exit 0', 'exit 1')
/** Its check of the lock file says nothing on the output, which setup.sh throws away. */
const npm = (bun: string) => `echo "npm $*"; [ "$1" = ls ] && exit 0; ${bun}`
/** Stands in for the pinned bun, which builds the console. */
const build = `echo "built by $1 $2 $3"; mkdir -p console/dist; touch console/dist/index.html`
const built = 'built by node_modules/vite/bin/vite.js build console'
const bun = (installed: string) => `echo "bun $*"; ${installed}`

beforeEach(() => {
  rmSync(clone, { recursive: true, force: true })
  rmSync(commands, { recursive: true, force: true })
  mkdirSync(join(clone, 'scripts'), { recursive: true })
  mkdirSync(commands)
  cpSync('scripts/setup.sh', join(clone, 'scripts/setup.sh'))
  writeFileSync(join(clone, 'package-lock.json'), '{}')
  writeFileSync(join(clone, 'scripts/bun.sh'), build)
  for (const source of ['console', 'shared']) mkdirSync(join(clone, source))
  for (const command of ['sh', 'dirname', 'mkdir', 'touch', 'chmod', 'find', 'cmp', 'cp', 'rm']) {
    symlinkSync(Bun.which(command) ?? command, join(commands, command))
  }
})

function addCommand(name: string, script: string): void {
  const path = join(commands, name)
  writeFileSync(path, `#!${sh}\n${script}\n`)
  chmodSync(path, 0o755)
}

async function setUp(): Promise<string> {
  const child = Bun.spawn([sh, join(clone, 'scripts/setup.sh')], {
    env: { PATH: commands },
    stderr: 'inherit',
  })
  const output = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  return output
}

test('installs with npm, once, and is silent afterwards', async () => {
  addCommand('npm', npm(workingBun))
  expect(await setUp()).toMatch(
    /^Installing packages with npm .*\nnpm install --no-save --ignore-scripts --loglevel=error\nBuilding /,
  )
  expect(await setUp()).toBe('')
})

test('installs with bun where there is no npm, once', async () => {
  addCommand('bun', bun(workingBun))
  expect(await setUp()).toMatch(
    /^Installing packages with bun .*\nbun install --frozen-lockfile --ignore-scripts\nBuilding /,
  )
  expect(await setUp()).toBe('')
})

test('installs again when the lock file has changed, whatever its time', async () => {
  addCommand('npm', npm(workingBun))
  await setUp()
  writeFileSync(join(clone, 'package-lock.json'), '{"lockfileVersion":3}')
  utimesSync(join(clone, 'package-lock.json'), 0, 0)
  expect(await setUp()).toContain('npm install')
})

test('installs nothing when package.json asks for something else than the lock file', async () => {
  addCommand('npm', `[ "$1" = ls ] && exit 1; touch ${join(clone, 'installed')}`)
  const child = Bun.spawn([sh, join(clone, 'scripts/setup.sh')], {
    env: { PATH: commands },
    stdout: 'ignore',
  })
  expect(await child.exited).not.toBe(0)
  expect(existsSync(join(clone, 'installed'))).toBe(false)
})

test('completes bun, whose install script did not run', async () => {
  addCommand('npm', npm(placeholderBun))
  addCommand('node', 'echo "node $*"')
  expect(await setUp()).toContain('node node_modules/bun/install.js')
})

test('before packages are installed, a command says what to run first, and nothing on its output', async () => {
  cpSync('scripts/bun.sh', join(clone, 'scripts/bun.sh'))
  const child = Bun.spawn([sh, join(clone, 'scripts/bun.sh'), 'server/command-line/main.ts'], {
    env: { PATH: commands },
    stderr: 'pipe',
  })
  const [output, said] = await Promise.all(
    [child.stdout, child.stderr].map((one) => new Response(one).text()),
  )
  expect([await child.exited, output, said]).toEqual([
    1,
    '',
    'The packages are not installed yet: run npm start, or sh scripts/setup.sh, first.\n',
  ])
})

const runtimeSettings = ['BUN_CONFIG_MAX_HTTP_REQUESTS', 'MIMALLOC_PURGE_DELAY', 'MIMALLOC_PURGE_HOLES']

test.each([
  { title: 'with room for many connections, and memory kept for a while', set: {}, seen: '65535 30000 0' },
  {
    title: 'which gives memory back as the machine says, where it says so',
    set: { MIMALLOC_PURGE_DELAY: '100', MIMALLOC_PURGE_HOLES: '1' },
    seen: '65535 100 1',
  },
])('programs run as the very process that was started, $title', async ({ set, seen }) => {
  const program = `process.pid + " " + ${JSON.stringify(runtimeSettings)}.map((name) => process.env[name]).join(" ")`
  const child = Bun.spawn([sh, 'scripts/bun.sh', '-p', program], {
    env: { PATH: process.env['PATH'], ...set },
  })
  expect(await new Response(child.stdout).text()).toBe(`${child.pid} ${seen}\n`)
})

const settingsIn = (script: string) => readFileSync(script, 'utf8').match(/\b(?:BUN|MIMALLOC)_\w+=\S+/g)

test('a release runs its programs with the same settings of the runtime', () => {
  expect(settingsIn('scripts/bun.sh')).toHaveLength(3)
  expect(settingsIn('scripts/release/gatehouse.sh')).toEqual(settingsIn('scripts/bun.sh'))
})

test('builds the console, and again when it or what it shares is newer', async () => {
  addCommand('npm', npm(workingBun))
  expect(await setUp()).toContain(built)
  for (const source of ['console/main.ts', 'shared/accounts.ts']) {
    writeFileSync(join(clone, source), '')
    utimesSync(join(clone, 'console/dist/index.html'), 0, 0) // the build before was long ago
    expect(await setUp()).toContain(built)
    expect(await setUp()).toBe('')
  }
})
