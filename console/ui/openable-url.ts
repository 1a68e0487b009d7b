const openableSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/**
 * An address that a link may have, as the browser reads it; null for every other. How it looks says nothing:
 * `java\nscript:` is `javascript:` to a browser.
 */
export function openableUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (!openableSchemes.has(url.protocol)) return null
  return url.username === '' && url.password === '' ? url.href : null
}
