/** A Markdown link in a cell. */
export interface MarkdownLink {
  readonly label: string
  readonly url: string
}

/** Text and address of `[text](address)`; the address may hold pairs of parentheses. */
const link = /\[([^[\]]{0,300})\]\(((?:[^()]|\([^()]*\))*)\)/g

const allowedSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/**
 * An address that may be opened, as the platform reads it; null for every other. Reading decides, not the look of the
 * text: `java\nscript:` is `javascript:` to a browser.
 */
export function openableUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (!allowedSchemes.has(url.protocol)) return null
  return url.username === '' && url.password === '' ? url.href : null
}

/** All links of a text whose addresses may be opened. */
export const linksIn = (text: string): MarkdownLink[] =>
  [...text.matchAll(link)].flatMap(([, label = '', address = '']) => {
    const url = openableUrl(address.trim())
    return url === null ? [] : [{ label: label.trim() || url, url }]
  })

/** The text with what it says in place of each link whose address may not be opened. */
export const withoutUnopenable = (text: string): string =>
  text.replaceAll(link, (whole, label: string, address: string) =>
    openableUrl(address.trim()) === null ? label : whole,
  )

/** The text as it reads. */
export const withoutAddresses = (text: string): string => text.replaceAll(link, (_, label: string) => label)

const activeScheme = /^(?:javascript|data|vbscript|file|blob|filesystem|view-source|about):/i

// oxlint-disable-next-line no-control-regex -- browsers skip them in front of and inside a scheme
const skippedByBrowsers = /[\u0000-\u0020]/g

/** Whether a text is nothing but an address that runs or reads something when it is opened. */
export const isActiveAddress = (text: string): boolean =>
  activeScheme.test(text.replaceAll(skippedByBrowsers, ''))
