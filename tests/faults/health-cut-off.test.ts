// Runs alone: probes have half a second there, and a verifier that gets no processor for so long takes nodes for dead.
import { expect, test } from 'bun:test'

import { findNamespace } from '../../scripts/world/network-namespace.ts'
import type { CutOffReport } from './cut-off/world.ts'

/**
 * A verifier that loses its network says nothing, also with one chain and two providers, or while its gateway still stands;
 * a dead node is DOWN.
 */

const namespace = findNamespace(process.env['PATH'] ?? '')
if (!namespace.available) process.stdout.write(`skipped: health-cut-off: ${namespace.missing}\n`)

test.skipIf(!namespace.available)(
  'a dead node is DOWN, a dead network is UNKNOWN',
  async () => {
    if (!namespace.available) return
    const child = Bun.spawn([...namespace.command, process.execPath, 'tests/faults/cut-off/world.ts'], {
      env: { ...process.env, PATH: namespace.path },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const report: CutOffReport = JSON.parse(await new Response(child.stdout).text())
    expect(await child.exited).toBe(0)
    expect(report.nodeDied).toEqual(['UP', 'DOWN'])
    expect(report.linkDown).toEqual(['UP', 'UNKNOWN'])
    expect(report.linkUp).toEqual(['UP'])
    // Not even those whose turn was the first without a network.
    expect(report.manyChains.filter((decision) => decision !== 'UP')).toEqual(['UNKNOWN'])
    expect(report.internetGone).toEqual(['UP', 'UNKNOWN'])
    expect(report.farNodeDied).toEqual(['UP', 'DOWN'])
    expect(report.closedNetwork).toEqual(['UP', 'DOWN'])
    // Two intervals, a probe's time-out, and a second in which reports wait for each other.
    expect(report.tookMs).toBeLessThan(2 * 1_000 + 500 + 1_500)
  },
  120_000,
)
