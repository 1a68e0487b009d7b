import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { findFreePort } from '../../scripts/world/free-port.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { startAlteringProxy } from '../support/altering-proxy.ts'
import { createCanaries } from '../support/canaries.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import { createTestInstallation, isReady } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { healthClient } from '../support/health-client.ts'
import { descendants } from '../../scripts/world/process-tree.ts'
import { projectDir, startProgram } from '../../scripts/world/program.ts'
import { enrolWireVerifier } from '../../scripts/world/wire-verifier.ts'
import { covers } from '../support/covers.ts'

/** Threat 69 of the design, how a server leaves, and a database that somebody else runs. */

let installation: TestInstallation
beforeEach(async () => {
  installation = await createTestInstallation({ verifiers: { builtIn: false } })
})
afterEach(() => installation.remove())

/** Answers everything; what it heard shows who was fooled. */
function startListener() {
  const heard: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      heard.push(request.url)
      return new Response('fine')
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, heard, stop: () => server.stop(true) }
}

test('a hostile working folder and proxies in the environment have no effect', async () => {
  covers('threat-69')
  const [proxy, site] = [startListener(), startListener()]
  const folder = join(installation.dataDir, '..', 'hostile')
  const elsewhere = await findFreePort()
  mkdirSync(folder)
  for (const name of ['.env', '.env.local', '.env.production']) {
    writeFileSync(join(folder, name), `GATEHOUSE_PORT=${elsewhere}\nGATEHOUSE_METRICS_TOKEN=known\nDATABASE_URL=postgres://x@127.0.0.1:1/x\n`) // prettier-ignore
  }
  installation.writeFile({
    services: [{ id: 'site', name: 'Site', family: 'http', provider: 'acme', endpoint: `${site.url}/asked`, policy: { intervalMs: 300, upForMs: 0 } }], // prettier-ignore
  })
  // Bun would run the first and resolve imports by the second.
  writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./hostile.ts"]\n')
  writeFileSync(join(folder, 'tsconfig.json'), '{"compilerOptions":{"paths":{"pino":["./hostile.ts"]}}}')
  writeFileSync(join(folder, 'hostile.ts'), `process.stdout.write('hostile code ran')`)
  const proxies = Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [
      name,
      proxy.url,
    ]),
  )
  const inFolder = [
    'sh',
    '-c',
    'cd "$0" && exec sh "$1/scripts/bun.sh" "$1/server/main.ts"',
    folder,
    projectDir,
  ]
  const program = startProgram(inFolder, {
    GATEHOUSE_PORT: String(installation.port),
    GATEHOUSE_DATA_DIR: installation.dataDir,
    GATEHOUSE_FILE: installation.filePath,
    GATEHOUSE_ALLOW_PRIVATE: '127.0.0.0/8',
    ...proxies,
  })
  try {
    await waitUntil('it is ready where it was told to be', () => isReady(installation.url), 20_000)
    expect(await isReady(`http://127.0.0.1:${elsewhere}`)).toBe(false)
    await healthClient(installation.url).until({ site: 'UP' })
    const known = await fetch(`${installation.url}/metrics`, { headers: { authorization: 'Bearer known' } })
    expect(known.status).toBe(401)
    expect(site.heard.length).toBeGreaterThan(0)
    expect(proxy.heard).toEqual([])
    expect(program.output()).not.toContain('hostile code ran')
    program.signal('SIGTERM')
    expect(await program.exited).toBe(0)
  } finally {
    await program.kill()
    await Promise.all([proxy.stop(), site.stop()])
  }
}, 60_000)

/** A verifier whose request for assignments is being held by the server. */
async function waitingVerifier(server: GatehouseProcess) {
  const proxy = startAlteringProxy(server.url, { headers: {} })
  const { token } = await server.operator.verifiers.createToken.mutate({ label: 'waits' })
  const verifier = await enrolWireVerifier(proxy.url, token, 'waits')
  proxy.alterations.headers['if-none-match'] = `"${(await verifier.assignments()).etag}"`
  const polling = verifier.assignments().then(() => 'assignments', String)
  expect(await Promise.race([polling, Bun.sleep(300).then(() => 'it waits')])).toBe('it waits')
  return { polling, proxy }
}

describe('SIGTERM', () => {
  test('is told to load balancers during the delay, and ends the wait of verifiers', async () => {
    const drainDelayMs = 2_000
    const server = await installation.start({ GATEHOUSE_DRAIN_DELAY_MS: String(drainDelayMs) })
    const { polling, proxy } = await waitingVerifier(server)
    const signalledAt = performance.now()
    const stopped = server.stop()
    await waitUntil('it is said', async () => (await fetch(`${server.url}/readyz`)).status === 503, 1_000)
    expect(await (await fetch(`${server.url}/readyz`)).json()).toMatchObject({ status: 'draining' })
    const health = await fetch(`${server.url}/health/anything`)
    expect(health.status).toBe(200)
    expect(health.headers.get('connection')).toBe('close')
    expect(await polling).toContain('assignments answer 304')
    expect(performance.now() - signalledAt).toBeLessThan(drainDelayMs)
    expect(await stopped).toBe(0)
    expect(performance.now() - signalledAt).toBeWithin(drainDelayMs, drainDelayMs + 5_000)
    await proxy.stop()
  }, 60_000)

  test('with a request that never ends still ends with 0, well before it would be killed', async () => {
    const server = await installation.start()
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([0x7b])) })
    const cut = new AbortController()
    const hanging = fetch(`${server.url}/v1/verifiers/enroll`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: cut.signal,
    }).then(() => 'answered', String)
    expect(await Promise.race([hanging, Bun.sleep(300).then(() => 'it waits')])).toBe('it waits')
    const signalledAt = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - signalledAt).toBeLessThan(20_000)
    cut.abort()
    await hanging
  }, 60_000)
})

describe('DATABASE_URL', () => {
  test('is used, and nothing embedded is started', async () => {
    const database = await testDatabase()
    try {
      const server = await installation.start({ DATABASE_URL: database.url })
      await server.operator.services.add.mutate({ id: 'there', name: 'There', family: 'http', provider: 'acme', endpoint: 'http://127.0.0.1:1/', policy: {} }) // prettier-ignore
      const rows = await database.database.run((sql) => sql`SELECT id FROM services`)
      expect(rows.map(({ id }) => id)).toEqual(['there'])
      expect(existsSync(join(installation.dataDir, 'postgres'))).toBe(false)
      expect(descendants(server.pid)).toEqual([])
      expect(await server.stop()).toBe(0)
    } finally {
      await database.drop()
    }
  }, 60_000)

  test('with a wrong password, or to nobody, is answered in one sentence without the password', async () => {
    const database = await testDatabase()
    const canaries = createCanaries()
    const password = canaries.plant('password')
    const urls = [
      database.url.replace(/:[^:@/]*@/, `:${password}@`),
      database.url.replace(/\/[^/]*$/, '/no_such_database'),
      database.url.replace(/\/\/[^@]*@/, `//nobody:${password}@`),
      `postgres://someone:${password}@no-such-host.invalid/gatehouse`,
      `postgres://someone:${password}@127.0.0.1:1/gatehouse`,
      `postgres://someone:${password}@127.0.0.1:99999/gatehouse`,
    ]
    canaries.adopt('password of the tests', /:([^:@/]*)@/.exec(database.url)?.[1] ?? '')
    try {
      const programs = urls.map((url) => installation.launch({ DATABASE_URL: url, GATEHOUSE_DATA_DIR: `${installation.dataDir}-${urls.indexOf(url)}` })) // prettier-ignore
      for (const program of programs) {
        expect(await program.exited).toBe(1)
        expect(program.output()).toMatch(
          /^gatehouse: (?:cannot use the database at|the settings have mistakes:\n  DATABASE_URL:) /,
        )
        expect(program.output().trim().split('\n').length).toBeLessThanOrEqual(2)
        expect(program.output()).not.toMatch(/\n\s+at /)
        expect(canaries.findIn(program.output())).toEqual([])
      }
    } finally {
      await database.drop()
    }
  }, 60_000)
})
