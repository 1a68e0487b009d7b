import { openableUrl } from '../../../shared/openable-url.ts'

/** A Markdown link in a cell. */
export interface MarkdownLink {
  readonly label: string
  readonly url: string
}

/** Captures the text and the address of `[text](address)`; the address may hold pairs of parentheses. */
const link = /\[([^[\]]{0,300})\]\(((?:[^()]|\([^()]*\))*)\)/g

/** Returns the links of a text whose addresses may be opened. */
export const linksIn = (text: string): MarkdownLink[] =>
  [...text.matchAll(link)].flatMap(([, label = '', address = '']) => {
    const url = openableUrl(address.trim())
    return url === null ? [] : [{ label: label.trim() || url, url }]
  })

/** Returns the text with each link that may not be opened replaced by its label. */
export const withoutForbiddenLinks = (text: string): string =>
  text.replaceAll(link, (whole, label: string, address: string) =>
    openableUrl(address.trim()) === null ? label : whole,
  )

/** Returns the text with every link replaced by its label. */
export const withoutAddresses = (text: string): string => text.replaceAll(link, (_, label: string) => label)

const activeScheme = /^(?:javascript|data|vbscript|file|blob|filesystem|view-source|about):/i

// oxlint-disable-next-line no-control-regex -- browsers skip them in front of and inside a scheme
const skippedByBrowsers = /[\u0000-\u0020]/g

/** Returns whether a text is an address of a scheme that runs code or reads local data when it is opened. */
export const isActiveAddress = (text: string): boolean =>
  activeScheme.test(text.replaceAll(skippedByBrowsers, ''))
