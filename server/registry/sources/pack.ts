import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as z from 'zod/mini'

import { snapshotLimits, UnusableSnapshot } from '../read/limits.ts'
import type { SnapshotFile } from '../snapshot.ts'

const zip = promisify(gzip)
const unzip = promisify(gunzip)

const Packed = z.array(z.object({ path: z.string(), text: z.string() }))

/** Packs all files into one piece, the form in which they are stored and sent to the server. */
export const packFiles = async (files: readonly SnapshotFile[]): Promise<Uint8Array> =>
  await zip(JSON.stringify(files.map(({ path, text }) => ({ path, text }))))

/** Unpacks what `packFiles` made. Throws `UnusableSnapshot` for anything else. */
export async function unpackFiles(content: Uint8Array): Promise<SnapshotFile[]> {
  try {
    // JSON can make a text six times as long; real registries grow by a tenth.
    const json = await unzip(content, { maxOutputLength: 2 * snapshotLimits.totalBytes })
    return Packed.parse(JSON.parse(json.toString('utf8')))
  } catch {
    throw new UnusableSnapshot('the packed registry is damaged or too large')
  }
}
