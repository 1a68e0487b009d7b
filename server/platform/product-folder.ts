import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of `package.json`: a clone, or an unpacked release, in which the server is a file in another place. */
const folder = nearest(import.meta.dir)

/** Returns the path of a file or folder that is part of the product, from the path that it has in the repository. */
export const productPath = (path: string): string => join(folder, path)

function nearest(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from
  const above = dirname(from)
  if (above === from) throw new Error('the folder of the product has no package.json: it is not complete')
  return nearest(above)
}
