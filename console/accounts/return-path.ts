import { isReturnPath } from '../../shared/return-path.ts'

/** Where to go after a sign-in: what the address says when it is a page of ours, and not the page to sign in. */
export const returnPathOf = (asked: unknown): string =>
  isReturnPath(asked) && !asked.startsWith('/sign-in') ? asked : '/'

/** A page to come back to from a provider; without its filters when a provider could not bring them back. */
export const returnPathFrom = ({ path, fullPath }: { path: string; fullPath: string }): string =>
  [fullPath, path].find(isReturnPath) ?? '/'
