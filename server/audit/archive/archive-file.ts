import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

import type { AuditEvent } from '../../../shared/audit.ts'

/** The file of a month, such as `2026-01`, inside a folder of archives. */
export const archiveFileName = (month: string): string => `audit-${month}.jsonl.gz`

/**
 * Writes events as JSON lines, compressed, readable by their owner only. The file has its name when all of it is on the
 * disk. Throws what the file system throws.
 */
export async function writeArchiveFile(path: string, events: AsyncIterable<AuditEvent>): Promise<void> {
  const draft = `${path}.draft`
  async function* lines() {
    for await (const event of events) yield `${JSON.stringify(event)}\n`
  }
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(draft, { mode: 0o600 }))
  const file = await open(draft, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

/** The lines of such a file, each as what it says it is. Throws what the file system and the decompressor throw. */
export async function* readArchiveFile(path: string): AsyncGenerator<unknown> {
  const text = createReadStream(path).pipe(createGunzip())
  for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
    yield JSON.parse(line)
  }
}
