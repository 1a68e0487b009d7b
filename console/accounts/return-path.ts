import { ReturnPath } from '../../shared/accounts.ts'

/** Where to go after a sign-in: what the address says when it is a page of ours, and not the page to sign in. */
export function returnPathOf(asked: unknown): string {
  const path = ReturnPath.safeParse(asked)
  return path.success && !path.data.startsWith('/sign-in') ? path.data : '/'
}

/** A page to come back to from a provider; without its filters when a provider could not bring them back. */
export function returnPathFrom({ path, fullPath }: { path: string; fullPath: string }): string {
  return [fullPath, path].find((candidate) => ReturnPath.safeParse(candidate).success) ?? '/'
}
