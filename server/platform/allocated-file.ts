import { closeSync, openSync, rmSync, writeSync } from 'node:fs'

/**
 * Creates a file of zeros and writes every byte of it: in a sparse file, a full disk would kill the process at a write
 * to the mapped memory. Throws what the file system says, ENOSPC above all, and leaves no file then.
 */
export function createAllocatedFile(path: string, bytes: number): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    const zeros = new Uint8Array(65_536)
    for (let left = bytes; left > 0;) left -= writeSync(file, zeros, 0, Math.min(left, zeros.length))
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}
