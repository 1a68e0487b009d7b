import { joinerInPlace } from '../../../shared/joiners.ts'

/**
 * Characters that a model reads and a person does not see: controls, zero-width characters, direction marks,
 * variation selectors, tags, private use.
 */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Co}]/u
const everyHidden = new RegExp(hidden.source, 'gu')
/** Harmless exceptions: parts of emoji, joiners where writing needs them, line breaks and tabs. */
const harmless = new RegExp(String.raw`\p{RGI_Emoji}|[\t\n\r]|${joinerInPlace}`, 'gv')

/** Returns where the first hidden character stands, or -1. */
export function hiddenAt(text: string): number {
  if (!hidden.test(text.replace(harmless, ''))) return -1
  return text.replace(harmless, (part) => ' '.repeat(part.length)).search(hidden)
}

/** Tag characters repeat ASCII at this distance; a model reads them as the text that they repeat. */
const tagsBegin = 0xe_00_00
const firstTag = 0xe_00_20
const lastTag = 0xe_00_7e

/** Letters of other scripts that look like Latin ones: Cyrillic and Greek in lower case, in the order of `latinLetters`. */
const lookalikes = 'аеорсухіјѕһԁԛԝӏοανικρτυχ'
const latinLetters = 'aeopcyxijshdqwloavikptux'
const latinFor: ReadonlyMap<string, string> = new Map(
  [...lookalikes].map((letter, place) => [letter, latinLetters[place] ?? letter]),
)
const everyLookalike = new RegExp(`[${lookalikes}]`, 'g')

/**
 * Returns a text as a model may understand it, so that a phrase is found however it is disguised: without hidden
 * characters, tag characters as the ASCII that they stand for, compatibility forms as plain letters, in lower case, and with
 * single blanks. Line breaks stay, as blanks.
 */
export function comparableText(text: string): string {
  return text
    .replaceAll(/[\u{E0020}-\u{E007E}]/gu, (tag) => fromTag(tag.codePointAt(0) ?? 0))
    .replaceAll(/[\t\n\r]/g, ' ')
    .replace(everyHidden, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[a-z\u0370-\u052f]+/g, inOneScript)
    .replaceAll(/\s+/g, ' ')
}

const fromTag = (code: number): string =>
  code >= firstTag && code <= lastTag ? String.fromCodePoint(code - tagsBegin) : ''

/** Returns a word with letters that look Latin as Latin ones. */
export const lookingLatin = (text: string): string =>
  text.replace(everyLookalike, (letter) => latinFor.get(letter) ?? letter)

/** Words of two scripts are disguised Latin ones; a word of another script alone is a word of another language. */
const inOneScript = (word: string): string => (/[a-z]/.test(word) ? lookingLatin(word) : word)
