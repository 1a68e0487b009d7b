import { join } from 'node:path'

import type { SnapshotFile } from './snapshot.ts'
import { readFolder } from './sources/folder.ts'

/** The registry that is part of the product: facts written by us, so that everything works on the first start. */
export const builtInSource = 'built-in'

export const builtInFiles = (): Promise<readonly SnapshotFile[]> =>
  readFolder(join(import.meta.dir, 'own-snapshot'))
