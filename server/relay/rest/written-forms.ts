/** Patterns that match a text in every form in which answers of nodes hold it. They are meant for the flags `gi`. */

/**
 * Returns a pattern of a text as plain text, JSON, URLs and HTML write it: PHP escapes slashes in JSON, Go and Gson `&` and
 * `=`, and an address in the query of another one is percent-encoded.
 */
export const written = (text: string): string => Array.from(text, formsOf).join('')

function formsOf(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character
  const forms = [RegExp.escape(character)]
  const percent = encodeURIComponent(character)
  if (percent !== character) forms.push(percent)
  if (percent !== character && character <= '~')
    forms.push(String.raw`\\u00${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
  if (character === '/') forms.push(String.raw`\\/`)
  if (character === '&') forms.unshift('&amp;')
  return `(?:${forms.join('|')})`
}

/** Nothing of a word stands before: a character that is written as an escape is none. */
export const wordStart = String.raw`(?:(?<![\w.-])|(?<=%[0-9a-f]{2}|\\u00[0-9a-f]{2}|\\[bfnrt]))`

/** What JSON escapes of the characters of an address. */
const escapedInJson = String.raw`\\(?:/|u00(?:2[56bf]|3[adf]))`

/** The rest of an address. */
export const addressRest = String.raw`(?:[^\s"'<>\\]|${escapedInJson})*`

/** The value of a parameter in an address. It ends with the brackets of a sentence or of a URI template, too. */
export const parameterValue = String.raw`(?:(?!${written('&')}|#|%23)(?:[^\s"'<>\\{}()[\],;]|${escapedInJson}))*`

/**
 * Returns a part that every form of a text holds as it is, so that bytes can be searched for it: its longest run of characters
 * that nothing escapes. Where that would be found everywhere, it is the whole text.
 */
export function unescapedPart(text: string): string {
  const runs = text.match(/[\w.~-]+/g) ?? []
  const longest = runs.toSorted((one, other) => other.length - one.length)[0] ?? ''
  return longest.length < 4 ? text : longest
}
