import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { parse } from 'yaml'
import * as z from 'zod'

import { testDatabase } from '../../scripts/world/database.ts'
import { authorizingClient } from './test-support/authorizing-client.ts'
import { conformanceClient } from './test-support/conformance-client.ts'
import { handScenariosTo } from './test-support/conformance-clients.ts'

const projectFolder = fileURLToPath(new URL('../../', import.meta.url))
const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

const own = await testDatabase()
const toolClient = handScenariosTo(conformanceClient)
const authorizedClient = handScenariosTo((scenario) => authorizingClient(scenario, own.database))

afterAll(async () => {
  toolClient.stop()
  authorizedClient.stop()
  await own.drop()
})

/** Runs a scenario against one of our clients. Returns what the suite said, and its exit code. */
async function scenarioOf(version: string, scenario: string, command: string) {
  const args = [suite, 'client', '--command', command, '--scenario', scenario, '--spec-version', version]
  const child = Bun.spawn([process.execPath, ...args], { cwd: projectFolder, stdout: 'pipe', stderr: 'pipe' })
  const words = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { words: words.join('\n'), code: await child.exited }
}

/** Those that concern tools. */
test.each([
  ['2025-11-25', 'initialize'],
  ['2025-11-25', 'tools_call'],
  ['2025-11-25', 'sse-retry'],
  ['2025-11-25', 'json-schema-2020-12-preservation'],
  ['2026-07-28', 'tools_call'],
  ['2026-07-28', 'request-metadata'],
  ['2026-07-28', 'sep-2322-client-request-state'],
  ['2026-07-28', 'http-standard-headers'],
  ['2026-07-28', 'http-custom-headers'],
  ['2026-07-28', 'http-invalid-tool-headers'],
  ['2026-07-28', 'json-schema-ref-no-deref'],
  ['2026-07-28', 'json-schema-2020-12-preservation'],
])(
  'our side towards tool servers passes the conformance suite of %s: %s',
  async (version, scenario) => {
    const { words, code } = await scenarioOf(version, scenario, toolClient.command)
    expect(code === 0 ? '' : words.slice(-3_000)).toBe('')
    expect(words).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/)
  },
  60_000,
)

const Requirements = z.object({ client: z.array(z.string()) })

/** The scenarios of authorization that a client of a revision has to pass, as the suite lists them. */
const authorizationOf = (version: string): string[] =>
  Requirements.parse(
    parse(readFileSync(join(projectFolder, suite, `../../requirements/${version}.yaml`), 'utf8')),
  ).client.filter((name) => name.startsWith('auth/'))

/**
 * What the suite only warns of. It wants one certain client id in place of the address of our own document; that this is
 * shown is seen by that nothing is registered.
 */
const warnings: Readonly<Record<string, string>> = { 'auth/basic-cimd': '1 warnings' }

/** The extensions (client credentials, DPoP, workload identity, enterprise-managed authorization) are none of ours. */
test('our side towards authorization servers passes every scenario that 2026-07-28 requires', async () => {
  const version = '2026-07-28'
  const waiting = authorizationOf(version)
  expect(waiting).toHaveLength(25)
  const failed: string[] = []
  async function runWaiting(): Promise<void> {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      const { words } = await scenarioOf(version, scenario, authorizedClient.command)
      const wanted = `0 failed, ${warnings[scenario] ?? '0 warnings'}`
      const passed = /Passed: ([1-9]\d*)\/\1, (.*)/.exec(words)
      if (passed?.[2] !== wanted) failed.push(`${scenario}: ${words.slice(-1_500)}`)
      if (scenario === 'auth/basic-cimd') expect(words).not.toContain('/register')
    }
  }
  await Promise.all(Array.from({ length: 3 }, runWaiting))
  expect(failed).toEqual([])
}, 300_000)
