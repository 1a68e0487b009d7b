import type { SnapshotFile } from './snapshot.ts'
import { readFolder } from './sources/folder.ts'
import { productPath } from '../platform/product-folder.ts'

/** Source name of the registry that is part of the product, so that discovery works on the first start. */
export const builtInSource = 'built-in'

/** Reads the files of the registry that is part of the product. */
export const builtInFiles = (): Promise<readonly SnapshotFile[]> =>
  readFolder(productPath('server/registry/own-snapshot'))
