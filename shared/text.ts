import * as z from 'zod/mini'

import { joinerInPlace } from './joiners.ts'

/**
 * From these every text in an input is made, whichever transport it comes by (`no-bare-strings` in `tests/gates` keeps
 * it so). PostgreSQL cannot hold NUL, and JSON in it no half of a surrogate pair; other control characters steer
 * terminals and log readers. So no input may hold them, and a refusal says which field it was.
 * What was stored under older rules is read with plain `z.string()`.
 */

/** Lengths in UTF-16 code units. */
interface Length {
  /** Default 1. */
  readonly min?: number
  readonly max: number
}

const isWithout = (forbidden: RegExp) => (value: string) => !forbidden.test(value)

const noControls = z.refine<string>(
  isWithout(/[\p{Cc}\p{Cs}]/u),
  'expected text without control characters or line breaks',
)
const noControlsButLines = z.refine<string>(
  isWithout(/(?![\t\n\r])[\p{Cc}\p{Cs}]/u),
  'expected text without control characters other than line breaks and tabs',
)

/**
 * What cannot be seen, or changes how what follows is seen: controls, zero-width and bidirectional characters, tags,
 * fillers, line separators, private use. U+FE0F is let through, which emoji need, and joiners where writing needs them.
 */
const noInvisible = z.refine<string>(
  isWithout(
    new RegExp(
      String.raw`(?!\uFE0F|${joinerInPlace})[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`,
      'u',
    ),
  ),
  'expected text without control, invisible or direction-changing characters',
)

const between = ({ min = 1, max }: Length) => [...(min > 0 ? [z.minLength(min)] : []), z.maxLength(max)]

/** One line that nobody reads as a name, such as a method or a type. */
export const text = (length: Length) => z.string().check(...between(length), noControls)

/** Text of several lines. */
export const lines = (length: Length) => z.string().check(...between(length), noControlsButLines)

/** What people call something: two names that look alike are alike. */
export const nameText = (max: number) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(max), noInvisible)

/** A remark that people read beside a name; may be blank. */
export const remark = (max: number) => z.string().check(z.trim(), z.maxLength(max), noInvisible)

/** What somebody looks up by its key, its name, or what people call it; whoever looks it up refuses what is unknown. */
export const NameAsWritten = remark(100)

/** The id of something, as it was given out. */
export const idText = (max: number) =>
  z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(max),
      z.regex(/^[\x21-\x7e]*$/, 'expected an id of visible ASCII characters'),
    )

/** Text of a form of its own. `pattern` covers the whole text; `expected` says in words what is allowed. */
export const matching = (pattern: RegExp, expected: string) =>
  z.string().check(z.regex(pattern, { error: expected, abort: true }), noControls)

/** The same, of which people copy blanks along. */
export const matchingTrimmed = (pattern: RegExp, expected: string, max: number) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(max), z.regex(pattern, expected))

const urlChars = 8_192

/** An address with one of these schemes. `URL` itself passes over control characters, so they are looked for. */
export const webAddress = (protocol: RegExp, expected: string) =>
  z.url({ protocol, error: expected, abort: true }).check(z.maxLength(urlChars), noControls)

export const email = () => z.email('an e-mail address').check(z.maxLength(254))

/** Bytes in Base64. */
export const base64 = (maxBytes: number) => z.base64().check(z.maxLength(Math.ceil(maxBytes / 3) * 4))

/** Text of somebody else that is handed back to them as it is, and never stored. */
export const handedBack = (max: number) => z.string().check(z.maxLength(max))

/** An object that is handed on as it is, or whose entries are looked at elsewhere. */
export const anyObject = () => z.record(z.string(), z.unknown())
