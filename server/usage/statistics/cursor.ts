import type { Place } from './page-bounds.ts'

/** Opaque to callers: the place behind which the next page begins. */
export const cursorOf = ({ bucketAt, id }: Place): string =>
  Buffer.from(`${bucketAt ?? ''}|${id}`).toString('base64url')

/** Null for a text that is no cursor, or one of another granularity. */
export function readCursor(text: string, hasBuckets: boolean): Place | null {
  const [, bucket = '', id = ''] = /^(\d{0,15})\|(.+)$/s.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (id === '' || id.includes('\0') || (bucket !== '') !== hasBuckets) return null
  return { bucketAt: bucket === '' ? null : Number(bucket), id }
}
