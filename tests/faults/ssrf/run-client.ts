import { join } from 'node:path'

import type { ClientReport } from './client.ts'

interface ClientRun {
  how: 'guarded' | 'bare'
  url: string
  maxBytes: number
  times?: number
  env?: Record<string, string>
}

/** Runs `client.ts` as a process of its own. */
export async function runClient({
  how,
  url,
  maxBytes,
  times = 1,
  env = {},
}: ClientRun): Promise<ClientReport> {
  const script = 'tests/faults/ssrf/client.ts'
  const client = Bun.spawn(
    [process.execPath, '--no-env-file', script, how, url, String(maxBytes), String(times)],
    {
      cwd: join(import.meta.dir, '../../..'),
      env,
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: 20_000,
    },
  )
  const [printed, complaints] = await Promise.all([
    new Response(client.stdout).text(),
    new Response(client.stderr).text(),
  ])
  if ((await client.exited) !== 0) throw new Error(`the client failed: ${complaints}`)
  return JSON.parse(printed)
}
