const word = /[\p{L}\p{N}]+/gu

/** Returns the words of a text in lower case; plurals that end in a plain `s` become singular. */
export const wordsOf = (text: string): string[] => (text.toLowerCase().match(word) ?? []).map(singular)

const singular = (text: string): string =>
  text.length > 3 && text.endsWith('s') && !text.endsWith('ss') ? text.slice(0, -1) : text

/** Words that are ignored in queries. */
const stopWords: ReadonlySet<string> = new Set(
  'a an and any are as at be best by can do find for from get give good has have i in is it list me need of on or please s show some that the there thi to use want what which who with'.split(
    ' ',
  ),
)

const maxWords = 12

/** Returns the distinct words of a query without stop words; all of them when there are only stop words. */
export function queryWords(query: string): string[] {
  const words = [...new Set(wordsOf(query))]
  const telling = words.filter((text) => !stopWords.has(text))
  return (telling.length > 0 ? telling : words).slice(0, maxWords)
}
