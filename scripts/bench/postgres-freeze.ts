import { join } from 'node:path'

import { readServerPid } from '../../server/platform/postgres/orphan.ts'

/** Stops the embedded PostgreSQL of a data folder in its tracks, with all of its processes; returns how to resume it. */
export async function freezePostgres(dataDir: string): Promise<() => void> {
  const postmaster = readServerPid(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))
  if (postmaster === null) throw new Error('there is no embedded PostgreSQL')
  // The parent first, or it would start new processes.
  process.kill(postmaster, 'SIGSTOP')
  const pids = [postmaster, ...(await childrenOf(postmaster))]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const listing = await Bun.$`ps -A -o pid=,ppid=`.text()
  return listing.split('\n').flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number)
    return pid !== undefined && ppid === parent ? [pid] : []
  })
}
