/**
 * What an upstream's error amounts to:
 * - `answer`: it is about the call, and every node would say the same.
 * - `node-failure`: the node, or what stands in front of it, does not work for us. It counts for the circuit breaker.
 * - `call-failure`: this node could not do this call, for example because of a bound of its own. Another one may.
 * - `limit`: we have asked too much of it.
 * - `missing-data`: it does not have the block, the transaction or the state; another node may.
 * - `unsupported`: it does not offer the method.
 */
export type AnswerClass =
  | 'answer'
  | 'node-failure'
  | 'call-failure'
  | 'limit'
  | 'missing-data'
  | 'unsupported'

/** An error matches when its code is listed, or when its text holds one of the texts or matches one of the patterns. */
export interface ErrorRules {
  readonly class: AnswerClass
  /** The program or provider that writes these errors, or the project that has met them. */
  readonly source: string
  readonly codes?: readonly number[]
  /** In lower case. */
  readonly texts?: readonly string[]
  readonly patterns?: readonly RegExp[]
}

/** The error object of an upstream, read. */
export interface ReadError {
  /** Null when it is no number. */
  readonly code: number | null
  /** The beginnings of message and data, in lower case. */
  readonly text: string
}

/** The error rule that matched, with the part of the text that did; empty when the code decided. */
export interface RuleMatch {
  readonly class: AnswerClass
  readonly found: string
}

/** Returns the first match in the order of the rules; null without any. */
export function matchRules(error: ReadError, rules: readonly ErrorRules[]): RuleMatch | null {
  for (const rule of rules) {
    const found = foundBy(rule, error)
    if (found !== null) return { class: rule.class, found }
  }
  return null
}

function foundBy({ codes, texts, patterns }: ErrorRules, { code, text }: ReadError): string | null {
  if (code !== null && codes?.includes(code) === true) return ''
  const known = texts?.find((each) => text.includes(each))
  if (known !== undefined) return known
  for (const pattern of patterns ?? []) {
    const match = pattern.exec(text)
    if (match !== null) return match[0]
  }
  return null
}
