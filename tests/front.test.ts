import { expect, test } from 'bun:test'
import { accessSync, constants, readFileSync } from 'node:fs'

import { parse } from 'yaml'

import manifest from '../package.json' with { type: 'json' }
import { families } from '../shared/chains.ts'

const yaml = (path: string): unknown => parse(readFileSync(path, 'utf8'))

test('the licence is there in full, and package.json names it', () => {
  const licence = readFileSync('LICENSE', 'utf8')
  expect(licence).toContain('Apache License\n                           Version 2.0, January 2004')
  expect(licence).toContain('END OF TERMS AND CONDITIONS')
  expect(manifest.license).toBe('Apache-2.0')
})

test('the README counts the families of nodes that are probed', () => {
  const [, ...named] =
    /services — (.+), (.+), (.+), (.+) and\n(\d+) more families/.exec(readFileSync('README.md', 'utf8')) ?? []
  const more = named.pop()
  expect(families).toEqual(expect.arrayContaining(named.map((name) => name.toLowerCase())))
  const others: ReadonlySet<string> = new Set(['cosmos-rest', 'subgraph', 'http', 'mcp'])
  expect(families.filter((name) => !others.has(name))).toHaveLength(named.length + Number(more))
})

test('the workflow runs what the build machine runs, with no more rights than to read', () => {
  const workflow = yaml('.github/workflows/ci.yaml')
  expect(workflow).toMatchObject({ permissions: { contents: 'read' } })
  expect(JSON.stringify(workflow)).toContain('{"run":".ci/run"}')
  expect(() => accessSync('.ci/run', constants.X_OK)).not.toThrow()
})

test('the lock file is compared with published advisories when it changes and every day, all of it', () => {
  const workflow = yaml('.github/workflows/audit.yaml') as {
    on: { schedule: unknown[]; pull_request: { paths: string[] } }
    jobs: { audit: { steps: { run?: string }[] } }
  }
  expect(workflow).toMatchObject({ permissions: { contents: 'read' } })
  expect(workflow.on.schedule).toHaveLength(1)
  expect(workflow.on.pull_request.paths).toEqual(['package-lock.json'])
  expect(workflow.jobs.audit.steps.flatMap(({ run }) => run ?? [])).toEqual([
    'npm audit --package-lock-only --omit=dev',
    'npm audit --package-lock-only --audit-level=high',
  ])
})

test('every issue form has a name, a description, and fields with ids of their own', () => {
  for (const name of ['bug', 'idea']) {
    const form = yaml(`.github/ISSUE_TEMPLATE/${name}.yml`) as { body: { type: string; id?: string }[] }
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    const ids = form.body.filter(({ type }) => type !== 'markdown').map(({ id }) => id)
    expect(ids.every((id) => id !== undefined)).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
  }
})
