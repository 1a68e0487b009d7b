/** How the body of an HTTP answer is delimited (RFC 9112, section 6.3). */
export type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' }

export interface AnswerHead {
  readonly status: number
  readonly framing: Framing
  /** Whether the connection may carry another request after this one. */
  readonly keepsAlive: boolean
  /** Whether the body is compressed or the like. */
  readonly isEncoded: boolean
}

export const headEnd = '\r\n\r\n'
export const maxHeadBytes = 16_384
/** `100 Continue` and its like, before the answer itself. */
export const maxInterimHeads = 8

export const isInterimHead = (head: string): boolean => /^HTTP\/1\.1 1(?!01)\d\d/.test(head)

const noBody: Framing = { kind: 'length', bytes: 0 }
const chunked: Framing = { kind: 'chunked' }
const untilClose: Framing = { kind: 'until-close' }

/**
 * Reads status line and headers, without the empty line behind them, and tells each header with its name in lower case.
 * Null for what is not plainly HTTP/1.x: where two readers could disagree about the end of the body, the rest of the
 * connection could be taken for answers to others.
 */
export function readHead(head: string, hear?: (name: string, value: string) => void): AnswerHead | null {
  const statusLine = /^HTTP\/1\.([01]) ([2-5]\d\d)(?: [^\r\n]*)?(?=\r\n|$)/.exec(head)
  if (statusLine === null) return null
  const status = Number(statusLine[2])
  let keepsAlive = statusLine[1] === '1'
  let isEncoded = false
  let length: string | null = null
  let encoding: string | null = null

  for (let at = statusLine[0].length; at < head.length;) {
    const from = at + 2
    const end = head.indexOf('\r\n', from)
    at = end < 0 ? head.length : end
    const colon = head.indexOf(':', from)
    if (colon < 0 || colon >= at || colon === from) return null
    const name = head.slice(from, colon).toLowerCase()
    const value = (): string => head.slice(colon + 1, at).trim()
    hear?.(name, value())
    switch (name) {
      case 'content-length':
        if (length !== null) return null
        length = value()
        break
      case 'transfer-encoding':
        if (encoding !== null) return null
        encoding = value().toLowerCase()
        break
      case 'content-encoding':
        isEncoded ||= value().toLowerCase() !== 'identity'
        break
      case 'connection':
        keepsAlive = keepsAliveBy(value(), keepsAlive)
        break
      default:
    }
  }
  const framing = framingOf(status, length, encoding)
  return framing === null
    ? null
    : { status, framing, isEncoded, keepsAlive: keepsAlive && framing !== untilClose }
}

function keepsAliveBy(connection: string, usual: boolean): boolean {
  const options = connection.toLowerCase()
  if (options.includes('close')) return false
  return usual || options.includes('keep-alive')
}

function framingOf(status: number, length: string | null, encoding: string | null): Framing | null {
  if (status === 204 || status === 304) return noBody
  if (encoding !== null) return encoding === 'chunked' && length === null ? chunked : null
  if (length === null) return untilClose
  return /^\d{1,15}$/.test(length) ? { kind: 'length', bytes: Number(length) } : null
}
