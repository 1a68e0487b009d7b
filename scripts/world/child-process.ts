import { readFileSync, readdirSync } from 'node:fs'

/** A program under test, running as a child of this process. It never outlives this process, however this one ends. */
export interface ChildProcess {
  readonly pid: number
  /** What the program wrote to its standard output so far. */
  output(): string
  isRunning(): boolean
  /** Freezes the program: it still accepts connections (the kernel does) and answers nothing. */
  pause(): void
  resume(): void
  /** Ends it at once, paused or not. */
  stop(): Promise<void>
}

export function startChild(command: readonly string[]): ChildProcess {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
  const watchdog = startWatchdog(child.pid)
  const output = collect(child.stdout)

  return {
    pid: child.pid,
    output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    pause() {
      child.kill('SIGSTOP')
      waitUntilStopped(child.pid)
    },
    resume: () => child.kill('SIGCONT'),
    async stop() {
      watchdog.kill('SIGKILL')
      child.kill('SIGKILL')
      await Promise.all([child.exited, watchdog.exited])
    },
  }
}

const stopsWithinMs = 1_000

/** A signal stops a thread when its turn comes: on a busy machine the program would still answer for a moment. */
function waitUntilStopped(pid: number): void {
  const until = performance.now() + stopsWithinMs
  while (!threadStates(pid).every((state) => state === 'T') && performance.now() < until) Bun.sleepSync(1)
}

/** By proc(5); none where there is no such file system. */
function threadStates(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2).charAt(0)
    })
  } catch {
    return []
  }
}

/**
 * Kills the child when this process is gone: its standard input is a pipe that only this process holds open. Exit hooks
 * would not do, because `bun test` does not run them and a killed process cannot.
 */
export function startWatchdog(pid: number) {
  const watchdog = Bun.spawn(['sh', '-c', 'read _; kill -9 "$0"', String(pid)], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  watchdog.unref()
  return watchdog
}

function collect(stream: ReadableStream<Uint8Array>): () => string {
  const decoder = new TextDecoder()
  let text = ''
  void (async () => {
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
  })()
  return () => text
}
