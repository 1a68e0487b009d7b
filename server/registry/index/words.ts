const word = /[\p{L}\p{M}\p{N}]+/gu
const isAscii = /^[\s!-~]*$/
const accents = /[\u0300-\u036F]/g

/** Returns a text in lower case, without accents and in one spelling of each character. */
export const foldText = (text: string): string => (isAscii.test(text) ? text.toLowerCase() : folded(text))

const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(accents, '').normalize('NFC').toLowerCase()

/** Returns the words of a text in lower case and without accents; English plurals become singular. */
export const wordsOf = (text: string): string[] => (foldText(text).match(word) ?? []).map(singular)

function singular(text: string): string {
  if (text.length <= 3 || !text.endsWith('s') || text.endsWith('ss')) return text
  return text.endsWith('ies') && text.length > 5 ? `${text.slice(0, -3)}y` : text.slice(0, -1)
}
