import { readFileSync, readdirSync } from 'node:fs'

import { isProcessAlive } from './database-process.ts'

/** A process and everything it started, also what has moved to a session of its own. Linux only: reads /proc. */
export function processTree(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : null
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [pid]
  for (const member of tree) tree.push(...(children.get(member) ?? []))
  return tree
}

export const descendants = (pid: number): number[] => processTree(pid).slice(1)

/** Stops everything a process started in its tracks, also what is being started meanwhile; returns how to resume it. */
export function freezeDescendants(pid: number): () => void {
  const frozen = new Set<number>()
  const startedSince = (): number[] => descendants(pid).filter((member) => !frozen.has(member))
  for (let found = startedSince(); found.length > 0; found = startedSince()) {
    for (const member of found) {
      process.kill(member, 'SIGSTOP')
      frozen.add(member)
    }
  }
  return () => {
    for (const member of frozen) process.kill(member, 'SIGCONT')
  }
}

export const aliveOf = (pids: readonly number[]): number[] => pids.filter(isProcessAlive)

/** Processes whose command line names a path, for instance a database on the files of a data folder. */
export function processesNaming(path: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readProc(Number(name), 'cmdline')?.includes(path))
    .map(Number)
}

/** Null for a process that has gone. */
function parentOf(pid: number): number | null {
  // The parent is the second field behind the program's name, which stands in parentheses (proc(5)).
  const parent = /\) \S (\d+) /.exec(readProc(pid, 'stat') ?? '')?.[1]
  return parent === undefined ? null : Number(parent)
}

function readProc(pid: number, file: 'stat' | 'cmdline'): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
