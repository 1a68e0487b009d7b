/** Upper bounds of a registry. The largest one known has 3 MB, 1,300 files and 66,000 rows. */
export const snapshotLimits = {
  files: 20_000,
  fileBytes: 8 << 20,
  totalBytes: 64 << 20,
  archiveBytes: 16 << 20,
  cellChars: 64 << 10,
  listings: 200_000,
  /** Counted after listings for all networks are copied to each of them. */
  rows: 500_000,
  problemsKept: 1_000,
} as const

/** Thrown for a registry that cannot be used at all. The message is shown to the operator. */
export class UnusableSnapshot extends Error {
  override readonly name = 'UnusableSnapshot'
}
