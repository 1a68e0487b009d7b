import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import * as z from 'zod/mini'

import { snapshotLimits, UnusableSnapshot } from '../read/limits.ts'
import type { SnapshotFile } from '../snapshot.ts'

const zip = promisify(gzip)
const unzip = promisify(gunzip)

const Packed = z.array(z.object({ path: z.string(), text: z.string() }))

/** All files in one piece, as it is stored and sent to the server. */
export const packFiles = async (files: readonly SnapshotFile[]): Promise<Uint8Array> =>
  await zip(JSON.stringify(files.map(({ path, text }) => ({ path, text }))))

/** Throws `UnusableSnapshot` for anything that `packFiles` has not made. */
export async function unpackFiles(content: Uint8Array): Promise<SnapshotFile[]> {
  try {
    // What a text takes in JSON is at most six times of what it takes alone; real ones grow by a tenth.
    const json = await unzip(content, { maxOutputLength: 2 * snapshotLimits.totalBytes })
    return Packed.parse(JSON.parse(json.toString('utf8')))
  } catch {
    throw new UnusableSnapshot('the packed registry is damaged or too large')
  }
}
