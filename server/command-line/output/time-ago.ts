const units: readonly [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Returns how long ago an instant was: `3 minutes ago`, or `never` for null. Both instants are epoch ms. */
export function formatTimeAgo(at: number | null, now: number): string {
  if (at === null) return 'never'
  const seconds = Math.floor((now - at) / 1000)
  for (const [name, length] of units) {
    const count = Math.floor(seconds / length)
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
