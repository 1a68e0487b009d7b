import { fileURLToPath } from 'node:url'

import { startWatchdog } from './child-process.ts'

export const projectDir = fileURLToPath(new URL('../..', import.meta.url))

/** A program that runs beside the test and never outlives it. */
export interface Program {
  readonly pid: number
  /** Everything it wrote to standard output and standard error so far. */
  output(): string
  isRunning(): boolean
  /** Resolves with its exit code when it has ended; null: by a signal. */
  readonly exited: Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** Ends it at once, paused or not; does nothing when it has ended already. */
  kill(): Promise<void>
}

/** Starts a program in the project's folder, with this environment and nothing of the test's own. */
export function startProgram(command: readonly string[], environment: Record<string, string> = {}): Program {
  const child = Bun.spawn([...command], {
    cwd: projectDir,
    env: { ...basicEnvironment(), ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const watchdog = startWatchdog(child.pid)
  const outputs = [collect(child.stdout), collect(child.stderr)]
  const ended = (async () => {
    await Promise.all([child.exited, ...outputs.map(({ done }) => done)])
    watchdog.kill('SIGKILL')
    return child.signalCode === null ? child.exitCode : null
  })()
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null

  return {
    pid: child.pid,
    output: () => outputs.map(({ text }) => text()).join(''),
    isRunning,
    exited: ended,
    signal: (name) => child.kill(name),
    async kill() {
      if (isRunning()) child.kill('SIGKILL')
      await ended
    },
  }
}

/** An unknown GATEHOUSE_ variable is an error, and the test run has some of its own: nothing else is passed on. */
function basicEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'LANG']) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  return environment
}

function collect(stream: ReadableStream<Uint8Array>): { text(): string; done: Promise<void> } {
  const decoder = new TextDecoder()
  let text = ''
  const done = (async () => {
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
  })()
  return { text: () => text, done }
}
