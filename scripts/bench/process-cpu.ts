import { readFileSync } from 'node:fs'

import { processTree } from '../world/process-tree.ts'

const msPerTick = 10

/** CPU time in ms of processes and all that they started, which have ended and been waited for included. Linux only. */
export const cpuMsOf = (pids: readonly number[]): number =>
  pids.flatMap(processTree).reduce((sum, pid) => sum + ticksOf(pid) * msPerTick, 0)

function ticksOf(pid: number): number {
  try {
    // Behind the program's name in parentheses: utime, stime, cutime and cstime are fields 14 to 17 (proc(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  } catch {
    return 0 // it has ended meanwhile
  }
}
