import { expect, test } from 'bun:test'

import {
  machinePathsIn,
  missingNames,
  missingPaths,
  pathsNamedBy,
  strayTopLevelEntries,
} from './tree-rules.ts'

test('a stray entry at the top is found; dot files, what runs leave and known names are not', () => {
  const names = ['server', '.ci', 'README.md', 'node_modules', 'data', 'server.log', 'src', 'notes.txt']
  expect(strayTopLevelEntries(names).map((line) => line.split(':')[0])).toEqual(['src', 'notes.txt'])
})

test('finds the paths that a README names, in links, code and prose', () => {
  const readme = `See [the design](./deploy/compose.yaml) and [the site](https://example.com/server/x.ts).
Start in \`server/main.ts\`, then server/health/. Many files: server/<domain>/store.ts, tests/*.test.ts.
    sh scripts/setup.sh && ./scripts/bun.sh`
  expect(pathsNamedBy('README.md', readme)).toEqual([
    'deploy/compose.yaml',
    'scripts/bun.sh',
    'scripts/setup.sh',
    'server/health',
    'server/main.ts',
  ])
})

test('links start from the folder of the document, words from the top', () => {
  const text = '[up](../README.md), [beside](compose.yaml#env) and `server/main.ts`'
  expect(pathsNamedBy('deploy/README.md', text)).toEqual([
    'README.md',
    'deploy/compose.yaml',
    'server/main.ts',
  ])
})

test('a path that does not exist is reported', () => {
  expect(
    missingPaths('README.md', '`server/gone.ts` and `server/main.ts`', (path) => path === 'server/main.ts'),
  ).toEqual(['README.md names server/gone.ts, which does not exist'])
})

test('in the README of the server paths start from its folder, and a name that is missing in its file is reported', () => {
  const text = [
    'See `relay/gone.ts`, `main.ts`, `health/decide/`, `tests/tidy.test.ts` and `a.b()`.',
    '| hedging | `relay/forward.ts` | `forward` |',
    '| the vote | `health/vote.ts`   | `vote`     |',
  ].join('\n')
  expect(pathsNamedBy('server/README.md', text)).toEqual([
    'server/health/decide',
    'server/health/vote.ts',
    'server/main.ts',
    'server/relay/forward.ts',
    'server/relay/gone.ts',
    'tests/tidy.test.ts',
  ])
  const files: Record<string, string> = {
    'server/relay/forward.ts': 'export async function forward() {}',
    'server/health/vote.ts': 'export function voteFor() {}',
  }
  expect(missingNames(text, (path) => files[path] ?? '')).toEqual([
    'server/health/vote.ts does not declare vote',
  ])
})

test('the path of a machine is found, paths that every system has are not', () => {
  const home = ['', 'home', 'ann', 'gatehouse'].join('/')
  const temporary = ['', 'tmp', 'x'].join('/')
  expect(machinePathsIn('a.ts', `const a = '${home}'\n\nopen("${temporary}")`)).toEqual([
    `a.ts:1 holds the path of a machine: const a = '${home}'`,
    `a.ts:3 holds the path of a machine: open("${temporary}")`,
  ])
  expect(
    machinePathsIn('a.ts', `'/dev/null' '/usr/bin/env' 'https://a/home/ann/x' './tmp/x' '/health/x'`),
  ).toEqual([])
})
