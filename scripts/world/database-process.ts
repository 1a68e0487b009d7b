import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const projectDir = fileURLToPath(new URL('../..', import.meta.url))

/** A bun process of its own that runs a few lines of TypeScript and talks to the test in lines. */
export interface ScriptProcess {
  pid: number
  /** The next line it prints; rejects when it ends without one. */
  nextLine(): Promise<string>
  send(line: string): void
  /** Ends it at once, as the kernel would; resolves when it is gone. */
  kill(): Promise<void>
}

/** `source` may import with paths relative to the project's folder. Stop every process with `kill`. */
export function startScript(source: string, user?: { uid: number; gid: number }): ScriptProcess {
  const child = spawn(process.execPath, ['--no-env-file', '-e', source], {
    cwd: projectDir,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...user,
  })
  if (child.pid === undefined) throw new Error('the script did not start')
  const errors: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    pid: child.pid,
    async nextLine() {
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`the script ended: ${errors.join('\n')}`)
      return value
    },
    send: (line) => void child.stdin.write(`${line}\n`),
    kill: () => killProcess(child),
  }
}

async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** False for a dead process, a zombie included. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    // The state follows the program's name, which stands in parentheses (proc(5)).
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
