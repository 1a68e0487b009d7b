import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { parse } from 'yaml'
import * as z from 'zod'

import { temporaryDataDir } from '../../scripts/world/database.ts'

const suite = join(import.meta.dir, '../../node_modules/@modelcontextprotocol/conformance')

/** The frozen sets of what a server of a revision has to do. */
export const requirementSets = ['2025-11-25', '2026-07-28'] as const
export type RequirementSet = (typeof requirementSets)[number]

const Requirements = z.object({ server: z.array(z.string()) })

/** The scenarios that count for a server, by name. */
export const requiredScenarios = (set: RequirementSet): string[] =>
  Requirements.parse(parse(readFileSync(join(suite, 'requirements', `${set}.yaml`), 'utf8'))).server

/** Runs the suite of the protocol's authors against a server; returns which required scenarios it does not pass. */
export async function failingScenarios(url: string, set: RequirementSet): Promise<string[]> {
  const folder = temporaryDataDir()
  const command = ['server', '--url', url, '--requirements', set, '-o', folder]
  const run = Bun.spawn([process.execPath, '--no-env-file', join(suite, 'dist/index.js'), ...command], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const output = await new Response(run.stdout).text()
  await run.exited
  rmSync(folder, { recursive: true, force: true })
  const passed = new Set(
    [...output.matchAll(/^✓ ([a-z0-9-]+): [1-9]\d* passed, 0 failed/gm)].map(([, name]) => name),
  )
  return requiredScenarios(set).filter((name) => !passed.has(name))
}
