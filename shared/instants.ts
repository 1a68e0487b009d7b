import * as z from 'zod/mini'

/** The last instant of the year 9999, epoch ms: every text form of an instant has four digits for the year. */
export const latestInstant = 253_402_300_799_999

const isStorable = (at: number): boolean => at >= 0 && at <= latestInstant

/** Epoch ms, from 1970 to 9999: what a Date, PostgreSQL and RFC 3339 can all hold. */
export const EpochMs = z
  .int()
  .check(z.minimum(0), z.maximum(latestInstant), z.meta({ description: 'epoch milliseconds' }))

/** Epoch ms, or an RFC 3339 instant, which becomes epoch ms. */
export const Instant = z.union([
  EpochMs,
  z.pipe(
    z.iso
      .datetime({ offset: true })
      .check(z.refine((text) => isStorable(Date.parse(text)), 'expected an instant from 1970 to 9999')),
    z.transform(Date.parse),
  ),
])

/** Epoch ms of an RFC 3339 instant or of Unix seconds; null where the text is neither, or not from 1970 to 9999. */
export function readInstant(text: string): number | null {
  const isSeconds = /^\d{1,10}$/.test(text)
  const isRfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text)
  const at = isSeconds ? Number(text) * 1_000 : isRfc3339 ? Date.parse(text.replace(' ', 'T')) : Number.NaN
  return isStorable(at) ? at : null
}

/** An instant in a query string, as text. */
export const InstantText = z
  .string()
  .check(
    z.refine(
      (text) => readInstant(text) !== null,
      'expected an RFC 3339 instant from 1970 to 9999 such as 2026-01-31T12:00:00Z, or Unix seconds',
    ),
  )

/** Epoch ms of what `InstantText` let through; undefined where nothing was asked. */
export const askedInstant = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : (readInstant(text) ?? undefined)

/** An instant in an answer, as `rfc3339` writes it. */
export const RfcInstant = z.string().check(z.meta({ format: 'date-time' }))

export const rfc3339 = (at: number): string => new Date(at).toISOString()
