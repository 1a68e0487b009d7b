import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { verifierHelpText } from './command-line.ts'
import { assignments, target, withInterval } from './test-support/fixtures.ts'
import { type ReportServer, startReportServer } from './test-support/report-server.ts'

const entry = join(import.meta.dir, 'main.ts')
const running: Bun.Subprocess[] = []
let folder: string
let server: ReportServer

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-verifier-'))
  server = startReportServer('gvt_good', assignments([]))
})
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill('SIGKILL')
    await child.exited
  }
  await server.stop()
  await rm(folder, { recursive: true })
})

function start(...args: string[]) {
  const child = Bun.spawn([process.execPath, '--no-env-file', entry, ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  running.push(child)
  const output = { out: '' }
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of child.stdout) output.out += decoder.decode(bytes, { stream: true })
  })()
  return {
    child,
    output,
    async end() {
      const code = await child.exited
      await reading
      return { code, out: output.out, error: await new Response(child.stderr).text() }
    },
  }
}

test('--help explains the flags', async () => {
  expect(await start('--help').end()).toEqual({ code: 0, out: verifierHelpText, error: '' })
})

test('a mistake is one sentence and exit code 1', async () => {
  const state = join(folder, 'none')
  const noToken = ['--server', server.url, '--state', state]
  expect(await start().end()).toEqual({ code: 1, out: '', error: '--server is missing; see --help.\n' })
  expect(await start(...noToken).end()).toEqual({
    code: 1,
    out: '',
    error: `${state} holds no verifier yet; give the one-time --token that an operator has made.\n`,
  })
  expect((await start(...noToken, '--token-file', state).end()).error).toBe(
    `--token-file: ${state} cannot be read, and ${state} holds no verifier yet; give the one-time --token that an operator has made.\n`,
  )
  expect((await start(...noToken, '--allow-private', '10.0.0').end()).error).toMatch(
    /^--allow-private: .*\.\n$/,
  )
  expect((await start('--server', server.url, '--token', 'gvt_bad', '--state', state).end()).error).toBe(
    'The server refused: refused with unauthorized.\n',
  )
})

test('it enrols, probes, reports and stops; the next start needs no token', async () => {
  const website = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('fine') })
  server.assignments = assignments([
    target('website', {
      chain: null,
      family: 'http',
      endpoint: `http://127.0.0.1:${website.port}/`,
      ...withInterval(200),
    }),
  ])
  const tokenFile = join(folder, 'token')
  await writeFile(tokenFile, 'gvt_good\n')
  const args = ['--server', server.url, '--state', join(folder, 'state'), '--allow-private', '127.0.0.0/8']

  const first = start(...args, '--token-file', tokenFile)
  await waitUntil('the first run reports', () => first.output.out.includes('Reporting'))
  first.child.kill('SIGTERM')
  expect(await first.end()).toEqual({
    code: 0,
    out: `Enrolled as ver_1; key and state are in ${join(folder, 'state')}.\nReporting to ${server.url} as ver_1.\n`,
    error: '',
  })
  expect(server.batches[0]?.services).toEqual(['website'])
  expect(server.batches[0]?.rounds[0]?.chain).toBeNull()
  expect(server.batches[0]?.rounds[0]?.obs[0]?.slice(0, 3)).toEqual([0, 1, null])

  const second = start(...args)
  await waitUntil('the second run reports', () => second.output.out.includes('Reporting'))
  second.child.kill('SIGINT')
  expect(await second.end()).toMatchObject({ code: 0, error: '' })
  const numbers = server.batches.map(({ seq }) => seq)
  expect(numbers).toEqual(numbers.toSorted((left, right) => left - right))
  await website.stop(true)
})

test('an enrolled verifier starts again when its one-time token was removed or blanked', async () => {
  const [tokenFile, state] = [join(folder, 'token'), join(folder, 'state')]
  await writeFile(tokenFile, 'gvt_good\n')
  const startOnce = async (...token: string[]) => {
    const asked = server.askedAt.length
    const run = start('--server', server.url, '--state', state, ...token)
    const works = waitUntil('it asks for assignments', () => server.askedAt.length > asked)
    await Promise.race([works, run.child.exited])
    run.child.kill('SIGTERM')
    return run.end()
  }
  const enrolled = `Enrolled as ver_1; key and state are in ${state}.\n`
  expect(await startOnce('--token-file', tokenFile)).toEqual({ code: 0, out: enrolled, error: '' })
  const goesOn = (lack: string) => ({
    code: 0,
    out: '',
    error: `${lack}; the verifier in ${state} needs none.\n`,
  })
  await writeFile(tokenFile, '\n')
  expect(await startOnce('--token-file', tokenFile)).toEqual(goesOn(`--token-file: ${tokenFile} is empty`))
  await rm(tokenFile)
  expect(await startOnce('--token-file', tokenFile)).toEqual(
    goesOn(`--token-file: ${tokenFile} cannot be read`),
  )
  expect(await startOnce('--token', '')).toEqual(goesOn('--token is empty'))
})

test('a verifier that the server does not know any more says what to do', async () => {
  const args = ['--server', server.url, '--state', folder]
  const first = start(...args, '--token', 'gvt_good')
  await waitUntil('it is enrolled', () => first.output.out.includes('Enrolled'))
  first.child.kill('SIGTERM')
  expect((await first.end()).code).toBe(0)
  await server.stop()
  server = startReportServer('gvt_other', assignments([]))
  expect(await start('--server', server.url, '--state', folder).end()).toEqual({
    code: 1,
    out: '',
    error: `${server.url} does not know this verifier any more; ask an operator for a new --token.\n`,
  })
})
