/** The value of a variable that has a fallback. */
export function required<T>(value: T | null): T {
  if (value === null) throw new TypeError('a variable with a fallback has no value')
  return value
}
