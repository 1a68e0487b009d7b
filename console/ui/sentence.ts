export const withCapital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** What is part of a message, as a sentence of its own. */
export const asSentence = (text: string): string => `${withCapital(text)}${/[.?!]$/.test(text) ? '' : '.'}`
