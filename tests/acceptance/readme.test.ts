import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import manifest from '../../package.json' with { type: 'json' }
import { defaultRules } from '../../server/alerts/default-rules.ts'
import { readDeclarativeFile } from '../../server/config/declarative-file.ts'
import { variableNames } from '../../server/config/variables.ts'
import { attemptClasses } from '../../server/relay/forward/attempt-class.ts'
import { permissionLabels } from '../../shared/api-keys.ts'
import { EndpointSettings } from '../../shared/call-settings.ts'
import { GatehouseFile } from '../../shared/gatehouse-file.ts'
import { ServiceSpec } from '../../shared/health.ts'
import { aliveOf, descendants } from '../../scripts/world/process-tree.ts'
import { documents } from '../gates/tree-rules.ts'

const readme = readFileSync('README.md', 'utf8')
const operation = readFileSync('deploy/README.md', 'utf8')
/** All that tells people what to type. */
const everything = documents()
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')

const blocks = (language: string, text = everything): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block)

async function run(command: readonly string[]) {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { output, errors, exitCode }
}

test('the first page is short', () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(14_000)
})

test('every npm command exists', () => {
  const scripts = [...everything.matchAll(/npm (?:run )?(?:--silent )?(start|test|[a-z]+)\b/g)].map(
    ([, name = '']) => name,
  )
  expect(scripts.length).toBeGreaterThan(5)
  for (const name of scripts.filter((script) => script !== 'run'))
    expect(Object.keys(manifest.scripts)).toContain(name)
})

test('the examples of the declarative file are accepted as they stand', () => {
  const reading = readDeclarativeFile(blocks('yaml', readme).join(''))
  expect(reading.kind === 'content' && reading.content).toMatchObject({
    services: [{ id: 'node-a' }],
    endpoints: [{ name: 'testnet', upstreams: [{ service: 'node-a' }, { weight: 1 }] }],
    queryKeyTypes: ['freeRPC', 'growthRPC', 'dedicatedRPC'],
  })
})

test('every setting is explained', () => {
  for (const name of variableNames) expect(operation).toContain(`\`${name}\``)
})

test('every section of the declarative file is explained, and so are the rules that are there without one', () => {
  const [, explained = ''] = operation.split('\n## The file\n')
  const table = explained.slice(0, explained.indexOf('```'))
  for (const name of Object.keys(GatehouseFile.shape)) expect(table).toContain(`\`${name}\``)
  for (const name of Object.keys(ServiceSpec.shape)) expect(table).toContain(`\`${name}\``)
  const examples = readDeclarativeFile(blocks('yaml', explained)[0] ?? '')
  expect(examples.kind === 'content' ? [] : examples.problems).toEqual([])

  expect(defaultRules).toHaveLength(12)
  expect(operation).toContain('Twelve rules are there from the start')
})

test('the document of settings of calls, classes of attempts and permissions is whole', () => {
  for (const field of Object.keys(EndpointSettings.shape)) expect(operation).toContain(field)
  for (const name of attemptClasses) expect(operation).toContain(`\`${name}\``)
  for (const label of Object.values(permissionLabels)) expect(operation).toContain(label)
})

test('measured numbers that the other pages repeat are those of the tables', () => {
  const rows = readFileSync('scripts/bench/README.md', 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const measured = (name: string): number[] =>
    (rows.find(([, title = '']) => title.startsWith(name)) ?? [])
      .slice(2)
      .map((cell) => Number.parseFloat(cell))

  const [ours = 0, , , nginx = 0, proxy = 0] = measured('CPU of a small call')
  const [less, more] = [proxy, nginx].map((cpu) => Math.round((100 * cpu) / ours))
  expect(readme).toContain(`a small call takes ${less} to ${more} % of`)
  expect(operation).toContain(`1 M requests/s at ${Math.round(ours)} µs of CPU`)

  const [leaseCpu = 0] = measured('CPU of Redis for a lease')
  expect(operation).toContain(`(${Math.round(leaseCpu)} µs of its CPU each)`)
  const [cores = 0] = measured('CPU of the whole server, with HTTP')
  expect(operation).toContain(`ten times what took ${cores} of a core, are ${10 * cores} cores`)
  const [scrape = 0] = measured('a scrape')
  expect(operation).toContain(`which take about ${scrape / 1000} s`)
  const [waited = 0] = measured('`GET /health/{id}` meanwhile, p99')
  expect(operation).toContain(`others wait for ${Math.round(waited)} ms at most (p99)`)
})

test('every operator command that it shows has a help of its own', async () => {
  const lines = blocks('sh').flatMap((block) => block.split('\n'))
  const shown = new Set(
    lines.flatMap((line) => /^npm run --silent gatehouse -- ([a-z-]+(?: [a-z]+)?)/.exec(line)?.[1] ?? []),
  )
  expect([...shown]).toEqual([
    'services add',
    'services list',
    'verifiers enroll',
    'accounts list',
    'api-keys create',
    'endpoints test',
    'query-keys create',
    'requests',
    'audit list',
    'backup',
    'endpoints methods',
    'chains add',
    'endpoints settings',
    'registry import',
    'registry status',
    'backup verify',
    'restore',
  ])
  for (const command of shown) {
    const { output, exitCode } = await run([
      'sh',
      'scripts/bun.sh',
      'server/command-line/main.ts',
      ...command.split(' '),
      '--help',
    ])
    expect(exitCode).toBe(0)
    expect(output).toContain(command)
  }
})

test('the tour shows what the first screen says it shows', async () => {
  const shown = blocks('', readme)
    .find((block) => block.startsWith('$ npm run demo'))
    ?.split('\n')
    .filter((line) => line.includes('says'))
    .map((line) => line.replace(/, \d+ blocks behind/, ''))
  const { output, errors, exitCode } = await run(['sh', 'scripts/bun.sh', 'scripts/demo.ts', '--tour'])
  expect(errors).toBe('')
  expect(exitCode).toBe(0)
  const seen = output.split('\n').map((line) => line.replace(/, \d+ blocks behind/, ''))
  expect(shown?.length).toBe(5)
  expect(seen).toEqual(expect.arrayContaining(shown ?? []))
}, 90_000)

test('a tour that is ended by Ctrl-C leaves nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tour-'))
  const tour = Bun.spawn(['sh', 'scripts/bun.sh', 'scripts/demo.ts', '--tour'], {
    env: { ...process.env, TMPDIR: folder },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  for await (const part of tour.stdout.pipeThrough(new TextDecoderStream()))
    if (part.includes('three nodes are up')) break
  const started = descendants(tour.pid)
  expect(started.length).toBeGreaterThan(4) // three nodes, the server and its database
  tour.kill('SIGINT')
  await tour.exited
  expect(aliveOf(started)).toEqual([])
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
}, 60_000)
