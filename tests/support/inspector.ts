import { join } from 'node:path'

import { temporaryDataDir } from '../../scripts/world/database.ts'

const program = join(
  import.meta.dir,
  '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)

interface InspectorRun {
  readonly exitCode: number
  readonly output: string
  readonly complaints: string
}

/** Runs the command line of the protocol's inspector. */
export async function inspect(args: readonly string[]): Promise<InspectorRun> {
  const run = Bun.spawn([process.execPath, '--no-env-file', program, '--cli', ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // It writes settings of its own into the home folder.
    env: { ...process.env, HOME: temporaryDataDir() },
  })
  const [output, complaints] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
  ])
  return { exitCode: await run.exited, output, complaints }
}
