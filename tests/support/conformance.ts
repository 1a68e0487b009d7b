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

interface AuthorizationServerRun {
  readonly issuer: string
  readonly clientId: string
  /** Where the suite listens for the answer: `http://127.0.0.1:<port>/callback` is registered. */
  readonly port: number
  /** Plays the person: goes to the address of a request for access, and returns where the answer sends the browser. */
  readonly agree: (link: URL) => Promise<URL>
}

/** Runs the scenarios for authorization servers. Returns what each came to, by name. */
export async function authorizationScenarios(given: AuthorizationServerRun): Promise<Record<string, string>> {
  const { issuer, clientId, port, agree } = given
  const folder = temporaryDataDir()
  const asked = ['--url', issuer, '--client-id', clientId, '--port', String(port), '-o', folder]
  const run = Bun.spawn(
    [process.execPath, '--no-env-file', join(suite, 'dist/index.js'), 'authorization', ...asked],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' },
  )
  let output = ''
  let isAsked = false
  const decoder = new TextDecoder()
  for await (const chunk of run.stdout) {
    output += decoder.decode(chunk, { stream: true })
    const link = /^(https?:\/\/\S+\/oauth\/authorize\S+)$/m.exec(output)?.[1]
    if (link === undefined || isAsked) continue
    isAsked = true
    await fetch(await agree(new URL(link)))
  }
  await run.exited
  rmSync(folder, { recursive: true, force: true })
  const lines = output.matchAll(/^[✓✗] ([a-z0-9-]+): (\d+ passed, \d+ failed.*)$/gm)
  return Object.fromEntries([...lines].map(([, name, result]) => [name, result]))
}
