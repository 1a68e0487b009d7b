import { print } from '../print.ts'

export interface Check {
  name: string
  /** A file that bun runs, and its arguments. */
  command: readonly string[]
}

/** Unused exports and packages; files are judged by tests/tidy.test.ts, which also sees those that are started by path. */
const knipConfig = 'scripts/check/knip.json'

/** Tools run under our own bun, so that a machine without Node has the same gates. */
export const staticChecks: readonly Check[] = [
  { name: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'] },
  { name: 'lint', command: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'] },
  // The compiler in Go does this in a quarter of the time. What reads the code as a library, vue-tsc too, needs version 6.
  {
    name: 'types',
    command: ['node_modules/typescript-7/bin/tsc', '--noEmit', ...rememberedIn('server')],
  },
  {
    name: 'types of the console',
    command: [
      'node_modules/vue-tsc/bin/vue-tsc.js',
      '--noEmit',
      '--project',
      'console/tsconfig.json',
      ...rememberedIn('console'),
    ],
  },
  {
    name: 'unused',
    command: [
      'node_modules/knip/bin/knip-bun.js',
      '--no-progress',
      '--no-config-hints',
      `--config=${knipConfig}`,
    ],
  },
]

/** Rules about the code that are written as tests. `npm test` runs them among the others. */
export const ruleChecks: readonly Check[] = ['architecture', 'tidy', 'requirements'].map((name) => ({
  name,
  command: ['test', '--no-env-file', '--only-failures', `./tests/${name}.test.ts`],
}))

/** Runs the checks one after another, with a line for each and the output of those that fail; returns their names. */
export async function runChecks(checks: readonly Check[]): Promise<string[]> {
  const failed: string[] = []
  for (const check of checks) {
    const startedAt = performance.now()
    const { exitCode, output } = await run(check.command)
    const isFine = exitCode === 0
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    print(`${isFine ? 'ok    ' : 'FAILED'}  ${check.name} (${seconds} s)`)
    if (isFine) continue
    print(output)
    failed.push(check.name)
  }
  return failed
}

async function run(command: readonly string[]): Promise<{ exitCode: number; output: string }> {
  const child = Bun.spawn([process.execPath, ...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, output: `${stdout}${stderr}`.trimEnd() }
}

/** The compiler notes there what it found, so that the next run looks only at what changed since. */
function rememberedIn(name: string): string[] {
  return ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/types-${name}.tsbuildinfo`]
}
