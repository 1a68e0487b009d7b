import { joinerInPlace } from '../../shared/joiners.ts'

/** A stretch of a text: as it reads, or one character that nobody sees. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'hidden'; readonly name: string }

/**
 * Characters that a program acts on and a person does not see: controls, zero width, marks of direction (Trojan
 * Source, CVE-2021-42574), tags, private use. A variation selector after an emoji is part of it, and joiners are part of
 * writing where it needs them.
 */
const hidden = new RegExp(
  [
    String.raw`(?<!\p{Emoji})\ufe0f`,
    String.raw`(?![\t\n\r]|\ufe0f|${joinerInPlace})[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Co}]`,
  ].join('|'),
  'gu',
)

const names: Readonly<Record<string, string>> = {
  '\u00ad': 'soft hyphen',
  '\u200b': 'zero width space',
  '\u200c': 'zero width non-joiner',
  '\u200d': 'zero width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'end of direction',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'isolate',
  '\u2069': 'end of isolate',
  '\ufeff': 'zero width no-break space',
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

const nameOf = (character: string): string => {
  const name = names[character]
  return name === undefined ? codeOf(character) : `${codeOf(character)} ${name}`
}

/** The text with everything that is hidden in it apart. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    parts.push({ kind: 'hidden', name: nameOf(match[0]) })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

export const hasHidden = (text: string): boolean => text.search(hidden) !== -1

/** The same as one text, for what can hold nothing but text: the name of what is hidden stands in its place. */
export const visibleText = (text: string): string =>
  partsOf(text)
    .map((part) => (part.kind === 'text' ? part.text : `‹${part.name}›`))
    .join('')
