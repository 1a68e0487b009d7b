import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { LoadPlan, LoadResult } from './load-plan.ts'

/** One thread: the server has to have a core for itself. */
export async function runWrk({ url, paths, connections, seconds }: LoadPlan): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const script = join(folder, 'paths.lua')
  writeFileSync(script, luaOf(paths))
  try {
    const command = ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url]
    const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
    const output = await new Response(child.stdout).text()
    if ((await child.exited) !== 0) throw new Error(`wrk failed: ${output}`)
    return readResult(output)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const marker = 'RESULT'

/** Requests are made before the first one is sent, so that one path costs wrk as much as many. */
const luaOf = (paths: readonly string[]): string => `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local requests = {}
local turn = 0
function init(args)
  for index, path in ipairs(paths) do requests[index] = wrk.format("GET", path) end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
function done(summary, latency, requests)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("${marker} %d %d %d %d %d\\n",
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failures))
end
`

function readResult(output: string): LoadResult {
  const line = output.split('\n').find((text) => text.startsWith(marker))
  if (line === undefined) throw new Error(`wrk says nothing: ${output}`)
  const [requests = 0, microseconds = 0, p50 = 0, p99 = 0, failures = 0] = line
    .split(' ')
    .slice(1)
    .map(Number)
  return {
    requestsPerSec: (requests / microseconds) * 1_000_000,
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
    failures,
  }
}
