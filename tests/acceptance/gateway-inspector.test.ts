import { afterAll, beforeAll, expect, test } from 'bun:test'

import { toolNames } from '../../shared/gateway.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { inspect } from '../support/inspector.ts'

/** The inspector of the protocol's authors, on the product's own registry. */

let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  installation = await createTestInstallation('', { hasBuiltInRegistry: true })
  server = await installation.start()
}, 60_000)

afterAll(() => installation?.remove())

for (const [transport, path] of [
  ['http', '/mcp'],
  ['sse', '/sse'],
] as const) {
  test(`finds nothing to complain about in the tools over ${transport} [gateway-five-tools]`, async () => {
    const { exitCode, output, complaints } = await inspect([
      `${server.url}${path}`,
      '--transport',
      transport,
      '--method',
      'tools/list',
      '--strict',
    ])
    expect(complaints).not.toMatch(/[1-9]\d* (?:errors|warnings?)/)
    expect(exitCode).toBe(0)
    const { tools } = JSON.parse(output) as { tools: { name: string; annotations: object }[] }
    expect(tools.map(({ name }) => name)).toEqual([...toolNames])
    expect(tools.slice(0, 3).every(({ annotations }) => 'readOnlyHint' in annotations)).toBe(true)
  }, 60_000)

  test(`calls tools over ${transport} [gateway-call-shape]`, async () => {
    const called = await inspect([
      `${server.url}${path}`,
      '--transport',
      transport,
      '--method',
      'tools/call',
      '--tool-name',
      'execute',
      '--tool-arg',
      'operation=list_mcps',
      '--tool-arg',
      'arguments={"limit":1}',
    ])
    expect(called.exitCode).toBe(0)
    const { structuredContent } = JSON.parse(called.output) as { structuredContent: { mcps: object[] } }
    expect(structuredContent.mcps).toHaveLength(1)
  }, 60_000)
}
