import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

import { EgressError, type EgressFetch } from '../../platform/egress.ts'
import { snapshotLimits, UnusableSnapshot } from '../read/limits.ts'
import type { SnapshotFile } from '../snapshot.ts'
import { readArchive } from './archive.ts'
import { readFolder } from './folder.ts'

export type SourceReading =
  | { readonly kind: 'files'; readonly files: readonly SnapshotFile[]; readonly etag: string | null }
  /** The address answered that nothing has changed since the given ETag. */
  | { readonly kind: 'unchanged' }

const isAddress = (source: string): boolean => /^https?:\/\//i.test(source)

/** Reads a folder, a `.tar.gz` file, or an address of one. Throws `UnusableSnapshot` with a sentence for the operator. */
export async function readSource(
  source: string,
  fetch: EgressFetch,
  etag: string | null = null,
): Promise<SourceReading> {
  if (isAddress(source)) return await readAddress(source, fetch, etag)
  const path = resolve(source)
  const found = await stat(path).catch(() => null)
  if (found === null) throw new UnusableSnapshot(`there is no ${path}`)
  if (found.isDirectory()) return { kind: 'files', files: await readFolder(path), etag: null }
  if (!found.isFile()) throw new UnusableSnapshot('it is neither a folder nor a file')
  if (found.size > snapshotLimits.archiveBytes) {
    throw new UnusableSnapshot(`the archive is larger than ${snapshotLimits.archiveBytes >> 20} MB`)
  }
  return { kind: 'files', files: await readArchive(await readFile(path)), etag: null }
}

async function readAddress(url: string, fetch: EgressFetch, etag: string | null): Promise<SourceReading> {
  try {
    const response = await fetch(url, { headers: etag === null ? {} : { 'if-none-match': etag } })
    if (response.status === 304) {
      await response.body?.cancel()
      return { kind: 'unchanged' }
    }
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new UnusableSnapshot(`the address answered ${response.status}`)
    }
    const files = await readArchive(new Uint8Array(await response.arrayBuffer()))
    return { kind: 'files', files, etag: response.headers.get('etag') }
  } catch (error) {
    throw error instanceof EgressError ? new UnusableSnapshot(failureText(error)) : error
  }
}

function failureText({ code }: EgressError): string {
  switch (code) {
    case 'REDIRECT':
      return 'the address leads on to another one: give that (of a GitHub repository it is https://codeload.github.com/OWNER/NAME/tar.gz/BRANCH)'
    case 'TOO_LARGE':
      return `the archive is larger than ${snapshotLimits.archiveBytes >> 20} MB`
    case 'ADDRESS':
      return 'the address is private, and allowed neither by GATEHOUSE_ALLOW_PRIVATE nor by an operator'
    case 'URL':
    case 'SCHEME':
    case 'USERINFO':
      return 'expected a folder, a .tar.gz file, or an https address without a user'
    default:
      return `the address could not be read (${code})`
  }
}
