import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'

import manifest from '../../package.json' with { type: 'json' }
import { readDeclarativeFile } from '../../server/config/declarative-file.ts'
import { variableNames } from '../../server/config/variables.ts'
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
