import { looksMisplaced, roleOf } from '../read/layout.ts'
import { snapshotLimits, UnusableSnapshot } from '../read/limits.ts'
import type { SnapshotFile } from '../snapshot.ts'

/** What macOS puts into archives beside each file, and Office beside one that is open. */
const besideFiles = /(?:^|\/)(?:\._|~\$)[^/]*$/

/** Returns whether a file belongs to a registry, or seems to be misplaced in one. */
export const isRegistryFile = (path: string): boolean =>
  !besideFiles.test(path) && (roleOf(path) !== null || looksMisplaced(path))

/** Collects the files of a registry within the limits. */
export function createFileCollector() {
  const files: SnapshotFile[] = []
  let bytes = 0

  return {
    files: files as readonly SnapshotFile[],
    /** Checks the size of a file before it is read. Throws `UnusableSnapshot` when a limit is exceeded. */
    allow(path: string, size: number): void {
      bytes += size
      if (size > snapshotLimits.fileBytes) throw tooLarge(`${path} is larger`, snapshotLimits.fileBytes)
      if (bytes > snapshotLimits.totalBytes)
        throw tooLarge('its files are larger in all', snapshotLimits.totalBytes)
      if (files.length >= snapshotLimits.files) {
        throw new UnusableSnapshot(`there are more than ${snapshotLimits.files} files`)
      }
    },
    /** Adds the content of a file. Throws `UnusableSnapshot` when it is not UTF-8. */
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
