const unitWords: Readonly<Record<string, string>> = { s: 's', m: 'min', h: 'h', d: 'd' }

/** `10m` as people read it: `10 min`. */
export const durationWords = (text: string): string =>
  `${Number(text.slice(0, -1))} ${unitWords[text.at(-1) ?? ''] ?? ''}`

/** `for 10 min`, `at once`. */
export const holdWords = (text: string): string =>
  Number(text.slice(0, -1)) === 0 ? 'at once' : `for ${durationWords(text)}`
