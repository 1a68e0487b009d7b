import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Beside the project where it is developed; elsewhere the variable names it. It is not ours, and no part of the project. */
const beside = join(import.meta.dir, '../../../shared/data/registry-snapshot')

/** The folder of a real registry; null where there is none. */
export function realRegistry(): string | null {
  const folder = resolve(process.env.GATEHOUSE_TEST_REGISTRY ?? beside)
  return existsSync(join(folder, 'meta/columns.json')) ? folder : null
}
