/** What is read where the reader is in this zone, by its IANA name. */
export function inZone<Value>(zone: string, read: () => Value): Value {
  const before = process.env.TZ ?? 'UTC'
  process.env.TZ = zone
  try {
    return read()
  } finally {
    process.env.TZ = before
  }
}
