import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../clock.ts'

const pollMs = 25
const patienceMs = 20_000

/**
 * Stops the PostgreSQL that a killed Gatehouse may have left on these files; returns when it is gone.
 * Call only under the data folder's lock: then nobody alive can own that server.
 * @throws Error when it is still there after `patienceMs`.
 */
export async function stopOrphan(filesDir: string, socketFile: string): Promise<void> {
  const pidFile = join(filesDir, 'postmaster.pid')
  const pid = readServerPid(pidFile)
  if (pid === null) return
  const startedAt = systemClock.monotonic()
  let signalsSent = 0
  while (isServerOf(pid, filesDir)) {
    const waitedMs = systemClock.monotonic() - startedAt
    // Fast shutdown at once; the immediate one, which recovers at the next start, when that takes too long.
    if (signalsSent === 0) signalsSent = signal(pid, 'SIGINT')
    if (signalsSent === 1 && waitedMs > patienceMs / 2) signalsSent += signal(pid, 'SIGQUIT')
    if (waitedMs > patienceMs) throw new Error(`PostgreSQL (pid ${pid}) on ${filesDir} does not stop`)
    await Bun.sleep(pollMs)
  }
  // PostgreSQL would refuse to start if another process of the same user had been given this pid since,
  // which is likely in a container, where pids begin at 1 each time.
  rmSync(`${socketFile}.lock`, { force: true })
  rmSync(pidFile, { force: true })
}

/** The pid in a `postmaster.pid`, or null when there is no server. */
export function readServerPid(pidFile: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    return pid > 1 ? pid : null
  } catch {
    return null
  }
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): 1 {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
  return 1
}

/** True for a living server on these files; false for a dead one and for a stranger that got its pid. */
function isServerOf(pid: number, filesDir: string): boolean {
  return commandLine(pid).includes(filesDir)
}

/** The words of a process, or none when it is dead (a zombie included). */
function commandLine(pid: number): string[] {
  if (process.platform !== 'linux') {
    const { stdout } = Bun.spawnSync(['ps', '-o', 'command=', '-p', String(pid)])
    return stdout.toString().trim().split(' ')
  }
  try {
    // Readable for everybody, unlike /proc/<pid>/cwd, which root in a container may not follow.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
