import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'

import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)
const text = /\.(?:js|css|html)$/

/**
 * Puts a copy compressed by Brotli, at its highest level, beside each file of the build: an eighth less than gzip. It
 * takes too long for a server that starts, which compresses by gzip itself for clients that know nothing else.
 */
export function brotliFiles(): Plugin {
  return {
    name: 'brotli-files',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((name) => text.test(name))
      await Promise.all(files.map((name) => writeCompressed(join(dir, name))))
    },
  }
}

async function writeCompressed(path: string): Promise<void> {
  await writeFile(`${path}.br`, await compress(await readFile(path)))
}
