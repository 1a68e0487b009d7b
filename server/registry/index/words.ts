const word = /[\p{L}\p{N}]+/gu

/** The words of a text, in lower case, plurals with a plain `s` as their singulars. */
export const wordsOf = (text: string): string[] => (text.toLowerCase().match(word) ?? []).map(singular)

const singular = (text: string): string =>
  text.length > 3 && text.endsWith('s') && !text.endsWith('ss') ? text.slice(0, -1) : text

/** Words that say nothing of what is looked for. */
const fillers: ReadonlySet<string> = new Set(
  'a an and any are as at be best by can do find for from get give good has have i in is it list me need of on or please s show some that the there thi to use want what which who with'.split(
    ' ',
  ),
)

const maxWords = 12

/** The distinct words of a query that say something; all of them when none does. */
export function queryWords(query: string): string[] {
  const words = [...new Set(wordsOf(query))]
  const telling = words.filter((text) => !fillers.has(text))
  return (telling.length > 0 ? telling : words).slice(0, maxWords)
}
