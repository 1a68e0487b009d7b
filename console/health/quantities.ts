const numbers = new Intl.NumberFormat('en')
const shares = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })

const units: readonly [name: string, lengthMs: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
]

/** `4 s`, `2 min 5 s`, `3 d 4 h`: the two largest units that are not zero. */
export function duration(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1_000) * 1_000)
  const parts: string[] = []
  for (const [name, length] of units) {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count > 0) parts.push(`${count} ${name}`)
    else if (parts.length > 0) break // `3 d 20 s` would claim more than it says
    if (parts.length === 2) break
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}

/** `4 s ago`, `just now`. */
export const ago = (ms: number): string => (ms < 1_000 ? 'just now' : `${duration(ms)} ago`)

/** `1 block`, `1,300 blocks`. */
export function counted(count: number, unit: string): string {
  return `${numbers.format(count)} ${unit}${count === 1 ? '' : 's'}`
}

/**
 * `99.97 %`; null is nothing to count. Rounded down, because 100 % is said only of what never failed.
 */
export function percent(share: number | null): string {
  if (share === null) return '–'
  return shares.format(Math.floor(share * 10_000) / 10_000)
}

/** What a list says about lag in little room: `13 blocks, 2 min 6 s`; empty without any. */
export function lagInShort(blocks: number, seconds: number): string {
  const parts = [
    ...(blocks > 0 ? [counted(blocks, 'block')] : []),
    ...(seconds > 0 ? [duration(seconds * 1_000)] : []),
  ]
  return parts.join(', ')
}
