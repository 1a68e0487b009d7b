import * as z from 'zod/mini'

/** A height or a timestamp: from 0 to 2^53 - 1, so that no arithmetic on it loses anything. */
const Count = z.int().check(z.minimum(0))

const fromText = (pattern: RegExp) =>
  z.pipe(z.pipe(z.string().check(z.regex(pattern)), z.transform(Number)), Count)

/** `0x`-prefixed hexadecimal, as EVM nodes write quantities. */
export const HexQuantity = fromText(/^0x[0-9a-fA-F]{1,64}$/)

/** A JSON number. */
export const NumberQuantity = Count

/** Digits in a string, as Cosmos writes heights, or a JSON number. */
export const DecimalQuantity = z.union([Count, fromText(/^[0-9]{1,20}$/)])

/** Starknet nodes write numbers in either way. */
export const AnyQuantity = z.union([Count, HexQuantity, fromText(/^[0-9]{1,20}$/)])

/** Digits in a string, or a JSON number, that count parts of a second; to whole Unix seconds. */
const secondsOf = (perSecond: number) =>
  z.pipe(
    z.pipe(
      z.union([z.number(), z.string().check(z.regex(/^[0-9]{1,20}$/))]),
      z.transform((count) => Math.floor(Number(count) / perSecond)),
    ),
    Count,
  )
export const MillisecondsText = secondsOf(1000)
export const MicrosecondsText = secondsOf(1_000_000)

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

/** RFC 3339 text (Cosmos and NEAR give nanoseconds) to whole Unix seconds. */
export const Rfc3339Seconds = z.pipe(
  z.pipe(
    z.string().check(z.regex(rfc3339)),
    z.transform((text) => Math.floor(Date.parse(text) / 1000)),
  ),
  Count,
)
