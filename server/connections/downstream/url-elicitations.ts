import { isFields } from '../../../shared/fields.ts'
import type { UrlElicitation } from '../call-results.ts'

/** The error of protocol 2025-11-25 by which a tool server says that its user has to open a page first. */
const urlElicitationRequired = -32_042

const mostPages = 5
const longestUrl = 2_048
const longestText = 500

/**
 * Returns the pages that the data of a JSON-RPC error asks to be opened: five at most, each at an http(s) address without
 * credentials, percent-encoded, of at most 2,048 characters. Other errors, and what is malformed, have none.
 */
export function urlElicitationsIn(code: number, data: unknown): readonly UrlElicitation[] {
  if (code !== urlElicitationRequired || !isFields(data) || !Array.isArray(data.elicitations)) return []
  return data.elicitations.slice(0, mostPages).flatMap(pageIn)
}

function pageIn(given: unknown): UrlElicitation[] {
  if (!isFields(given) || given.mode !== 'url' || typeof given.url !== 'string') return []
  const { message, elicitationId: id } = given
  const url = URL.parse(given.url)
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > longestUrl) return []
  if (url.username !== '' || url.password !== '') return []
  return [
    {
      mode: 'url',
      url: url.href,
      message: typeof message === 'string' ? message.slice(0, longestText) : '',
      ...(typeof id === 'string' && id.length <= longestText && { elicitationId: id }),
    },
  ]
}
