import { projectDir } from '../../world/program.ts'
import type { CallsPlan, LoadPlan, LoadResult } from './load-plan.ts'

/** Runs the generator as a process of its own: in ours it would share a core with whatever else a bench does. */
export async function runOwnLoad(plan: LoadPlan | CallsPlan): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, '--no-env-file', 'scripts/bench/load/generator.ts'], {
    cwd: projectDir,
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const output = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('the load generator failed')
  const result: LoadResult = JSON.parse(output)
  return result
}
