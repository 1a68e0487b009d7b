const openableSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/**
 * Returns the normalised form of an address that a link may have, and null for every other. The parsed URL decides, not
 * the look of the text, because `java\nscript:` is `javascript:` to a browser.
 */
export function openableUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (!openableSchemes.has(url.protocol)) return null
  return url.username === '' && url.password === '' ? url.href : null
}
