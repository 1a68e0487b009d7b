import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { CallsPlan, LoadPlan, LoadResult, PostPlan } from './load-plan.ts'

export const runWrk = ({ paths, ...plan }: LoadPlan): Promise<LoadResult> => run(plan, getsOf(paths))

export const postByWrk = ({ count, body, ...plan }: PostPlan): Promise<LoadResult> =>
  run(plan, postsOf(count, body))

/** The bodies come from a file: Lua takes no table of that size in a script. */
export async function callByWrk({ headers, bodies, ...plan }: CallsPlan): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const file = join(folder, 'bodies')
  writeFileSync(file, bodies.join('\n'))
  try {
    return await run(plan, callsOf(headers, file))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** One thread: the server has to have a core for itself. `requests` is Lua that fills a table of that name. */
async function run(
  { url, connections, seconds }: Pick<LoadPlan, 'url' | 'connections' | 'seconds'>,
  requests: string,
): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const script = join(folder, 'load.lua')
  writeFileSync(script, luaOf(requests))
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

const getsOf = (paths: readonly string[]): string => `
  for index, path in ipairs({ ${paths.map((path) => JSON.stringify(path)).join(', ')} }) do
    requests[index] = wrk.format("GET", path)
  end`

/** Every `#` of the body becomes the number of the request. */
const postsOf = (count: number, body: string): string => `
  local headers = { ["content-type"] = "application/json" }
  for index = 1, ${count} do
    local body = string.gsub(${JSON.stringify(body)}, "#", string.format("%08d", index))
    requests[index] = wrk.format("POST", nil, headers, body)
  end`

const callsOf = (headers: CallsPlan['headers'], file: string): string => `
  local headers = { ${Object.entries(headers)
    .map(([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
    .join(', ')} }
  for body in io.lines(${JSON.stringify(file)}) do
    requests[#requests + 1] = wrk.format("POST", nil, headers, body)
  end`

/** Requests are made before the first one is sent, so that many kinds of them cost wrk as much as one. */
const luaOf = (requests: string): string => `
local requests = {}
local turn = 0
function init(args)${requests}
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
