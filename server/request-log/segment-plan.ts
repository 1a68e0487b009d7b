import { requestLogBounds } from '../../shared/request-log.ts'

/** Answers and all else have files of their own, so that many answers push no failure out. */
export const segmentKinds = ['answers', 'failures'] as const
export type SegmentKind = (typeof segmentKinds)[number]

/** One file of lines. `newestAt` is the instant of the last write. */
export interface Segment {
  readonly accountId: string
  readonly kind: SegmentKind
  readonly startedAt: number
  readonly name: string
  bytes: number
  newestAt: number
}

export interface SegmentBounds {
  /** A segment that has reached this size is followed by the next. */
  readonly segmentBytes: number
  /** A segment that began so long ago is followed by the next, so that whole segments become old. */
  readonly segmentMs: number
  /** The most that an account has of one kind. */
  readonly kindBytes: Readonly<Record<SegmentKind, number>>
  readonly allBytes: number
}

export const segmentBounds: SegmentBounds = {
  segmentBytes: 1_048_576,
  segmentMs: 4 * 3_600_000,
  kindBytes: { answers: 4_194_304, failures: 16_777_216 },
  allBytes: 536_870_912,
}

export const retentionMs = requestLogBounds.keptHours * 3_600_000

const nameForm = /^(answers|failures)-(\d{13})-(\d{6})\.jsonl$/

/** The name of a segment; `number` tells segments of one millisecond apart, and sorts by age. */
export const segmentName = (kind: SegmentKind, startedAt: number, number: number): string =>
  `${kind}-${String(startedAt).padStart(13, '0')}-${String(number % 1_000_000).padStart(6, '0')}.jsonl`

/** Returns what the name of a segment says; null for a file that is none. */
export function parseSegmentName(
  name: string,
): (Pick<Segment, 'kind' | 'startedAt'> & { number: number }) | null {
  const [, kind, startedAt, number] = nameForm.exec(name) ?? []
  const known = segmentKinds.find((each) => each === kind)
  return known === undefined ? null : { kind: known, startedAt: Number(startedAt), number: Number(number) }
}

export const isFull = (
  { bytes, startedAt }: Pick<Segment, 'bytes' | 'startedAt'>,
  now: number,
  { segmentBytes, segmentMs }: SegmentBounds,
): boolean => bytes >= segmentBytes || now - startedAt >= segmentMs

/** Returns the segments to remove, of segments in the order of their age: those that are older than a day, and the oldest ones beyond the bounds. */
export function planRemovals(
  segments: readonly Segment[],
  now: number,
  { kindBytes, allBytes }: SegmentBounds,
): Segment[] {
  const newest = segments.toReversed().toSorted((one, other) => other.newestAt - one.newestAt)
  const sizes = new Map<string, number>()
  let total = 0
  return newest.filter((segment) => {
    const of = `${segment.accountId} ${segment.kind}`
    const size = (sizes.get(of) ?? 0) + segment.bytes
    sizes.set(of, size)
    total += segment.bytes
    return now - segment.newestAt > retentionMs || size > kindBytes[segment.kind] || total > allBytes
  })
}
