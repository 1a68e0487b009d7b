import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs'

/** One admission: when, by the clock that all processes share (ms), for which key, and what it cost. */
export interface LoggedDecision {
  readonly at: number
  readonly key: number
  readonly calls: number
  readonly credits: number
}

const numbersEach = 4
const mostAdmissions = 400_000

/** A log in a mapped file: what was written before the process is killed stays. */
export function createDecisionFile(path: string): (admission: LoggedDecision) => void {
  const file = openSync(path, 'w+')
  ftruncateSync(file, (1 + mostAdmissions * numbersEach) * 8)
  closeSync(file)
  const bytes = Bun.mmap(path, { shared: true })
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8)
  let count = 0
  return ({ at, key, calls, credits }) => {
    numbers.set([at, key, calls, credits], 1 + count * numbersEach)
    numbers[0] = ++count
  }
}

export function readDecisionFile(path: string): LoggedDecision[] {
  const bytes = readFileSync(path)
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8)
  return Array.from({ length: numbers[0] ?? 0 }, (_, index) => {
    const [at = 0, key = 0, calls = 0, credits = 0] = numbers.subarray(1 + index * numbersEach)
    return { at, key, calls, credits }
  })
}
