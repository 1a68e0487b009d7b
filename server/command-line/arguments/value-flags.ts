import * as z from 'zod/mini'

import { ChainHead } from '../../../shared/audit.ts'
import { CommandFailure, type ParsedArguments } from './command.ts'

const instantForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/**
 * Returns the instant of a flag in epoch ms, or null when it was not given. A date alone is its beginning in UTC. Throws
 * `CommandFailure`.
 */
export function parseInstantFlag(args: ParsedArguments, flag: string): number | null {
  const text = args.text(flag)
  if (text === null) return null
  const at = instantForm.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) {
    throw new CommandFailure(`--${flag}: expected a date such as 2026-01-31 or 2026-01-31T12:00:00Z`)
  }
  return at
}

/** Returns the number of a flag, NaN for other text, or null when it was not given; the server's schema says what may be. */
export function parseNumberFlag(args: ParsedArguments, flag: string): number | null {
  const text = args.text(flag)
  return text === null ? null : Number(text)
}

/** Parses the head of an audit log as `audit verify` prints it: `1234:5f0c…`. Throws `CommandFailure`. */
export function parseChainHeadFlag(text: string | null): ChainHead | null {
  if (text === null) return null
  const [seq, hash] = text.split(':', 2)
  const checked = z.safeParse(ChainHead, { seq: Number(seq), hash })
  if (!checked.success) throw new CommandFailure('--head: expected SEQ:HASH as "audit verify" prints it')
  return checked.data
}
