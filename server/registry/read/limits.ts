/** What a registry may be as large as. The largest one known has 3 MB, 1,300 files and 66,000 rows. */
export const snapshotLimits = {
  files: 20_000,
  fileBytes: 8 << 20,
  totalBytes: 64 << 20,
  archiveBytes: 16 << 20,
  cellChars: 64 << 10,
  listings: 200_000,
  /** After the copies of what is listed on all networks. */
  rows: 500_000,
  problemsKept: 1_000,
} as const

/** A registry that cannot be put in force at all. The text is for the operator. */
export class UnusableSnapshot extends Error {
  override readonly name = 'UnusableSnapshot'
}
