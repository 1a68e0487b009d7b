const units: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 }
const firstNumber = /(\d[\d,]*(?:\.\d+)?)\s*([kmb](?![a-z]))?/i

/**
 * Returns the first number of a text, for range filters: `$49/mo` is 49, `$1.2K-$7.1K` is 1200, `99.90%` is 99.9, `Free`
 * is 0. Returns null for a text without a number (`Custom`).
 */
export function numberIn(text: string): number | null {
  const [, digits, unit] = firstNumber.exec(text) ?? []
  if (digits === undefined) return /^free\b/i.test(text.trim()) ? 0 : null
  return Number(digits.replaceAll(',', '')) * (units[unit?.toLowerCase() ?? ''] ?? 1)
}

/** Returns epoch ms for an ISO date, or for a number of seconds or milliseconds since 1970; null for any other text. */
export function instantIn(text: string): number | null {
  const trimmed = text.trim()
  if (/^\d{9,10}$/.test(trimmed)) return Number(trimmed) * 1_000
  if (/^\d{12,13}$/.test(trimmed)) return Number(trimmed)
  if (!/^\d{4}-\d{2}(?:-\d{2})?/.test(trimmed)) return null
  const parsed = Date.parse(trimmed)
  return Number.isNaN(parsed) ? null : parsed
}
