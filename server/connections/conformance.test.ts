import { expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'

const projectFolder = fileURLToPath(new URL('../../', import.meta.url))
const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'
const client = './server/connections/test-support/conformance-client.ts'

/** Those that concern tools; the scenarios of OAuth do not, for our side has none. */
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
    const command = `${process.execPath} ${client}`
    const args = [suite, 'client', '--command', command, '--scenario', scenario, '--spec-version', version]
    const child = Bun.spawn([process.execPath, ...args], {
      cwd: projectFolder,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const words = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    const code = await child.exited
    expect(code === 0 ? '' : words.join('\n').slice(-3_000)).toBe('')
    expect(words.join('\n')).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/)
  },
  60_000,
)
