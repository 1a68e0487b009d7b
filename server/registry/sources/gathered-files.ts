import { looksMisplaced, roleOf } from '../read/layout.ts'
import { snapshotLimits, UnusableSnapshot } from '../read/limits.ts'
import type { SnapshotFile } from '../snapshot.ts'

/** Whether a file belongs to a registry, or was meant to. */
export const isWanted = (path: string): boolean => roleOf(path) !== null || looksMisplaced(path)

/** Collects the files of a registry, held to the limits. */
export function createGatheredFiles() {
  const files: SnapshotFile[] = []
  let bytes = 0

  return {
    files: files as readonly SnapshotFile[],
    /** Before a file is read. Throws `UnusableSnapshot`. */
    allow(path: string, size: number): void {
      bytes += size
      if (size > snapshotLimits.fileBytes) throw tooLarge(`${path} is larger`, snapshotLimits.fileBytes)
      if (bytes > snapshotLimits.totalBytes)
        throw tooLarge('its files are larger in all', snapshotLimits.totalBytes)
      if (files.length >= snapshotLimits.files) {
        throw new UnusableSnapshot(`there are more than ${snapshotLimits.files} files`)
      }
    },
    /** Throws `UnusableSnapshot`. */
    add(path: string, content: Uint8Array): void {
      files.push({ path, text: utf8(path, content) })
    },
  }
}

function tooLarge(what: string, limitBytes: number): UnusableSnapshot {
  return new UnusableSnapshot(`${what} than ${limitBytes >> 20} MB`)
}

function utf8(path: string, content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new UnusableSnapshot(`${path}: not UTF-8`)
  }
}
