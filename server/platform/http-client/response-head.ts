/** The way in which the end of a response body is found (RFC 9112, section 6.3). */
export type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' }

export interface ResponseHead {
  readonly status: number
  readonly framing: Framing
  /** True when the connection may carry another request after this one. */
  readonly keepsAlive: boolean
  /** The content codings of the body in lower case, in the order in which they were applied; null: it is as it is. */
  readonly encoding: string | null
  /** Names are in lower case; the order is that of the peer. */
  readonly fields: readonly Field[]
}

export type Field = readonly [name: string, value: string]

export const headEnd = '\r\n\r\n'
export const maxHeadBytes = 16_384
/** Interim responses (`100 Continue` and the like) that may come before the response itself. */
export const maxInterimHeads = 8

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
/** RFC 9110, sections 5.1 and 5.5: the name is a token right before the colon, and the value holds no control characters, nor ends with a tab. */
const fieldLine =
  /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?) *$/

const noBody: Framing = { kind: 'length', bytes: 0 }
const chunked: Framing = { kind: 'chunked' }
const untilClose: Framing = { kind: 'until-close' }

/** The name (in lower case) and value of one header or trailer line; null when RFC 9112 does not allow the line. */
export function readField(line: string): Field | null {
  const found = fieldLine.exec(line)
  return found === null ? null : [(found[1] ?? '').toLowerCase(), found[2] ?? '']
}

/** Returns true when these bytes, which are not a whole head yet, can still become one: otherwise nobody has to wait for the rest. */
export function canBecomeHead(text: string): boolean {
  return text.slice(0, 7) === 'HTTP/1.'.slice(0, text.length) && !/(?<!\r)\n|\r(?!\n|$)|\0/.test(text)
}

/**
 * Reads status line and headers, without the empty line behind them. Returns null for everything that is not strictly
 * HTTP/1.x: where two readers could disagree about the end of the body, the rest of the connection could be taken for
 * the responses to others.
 */
export function readHead(head: string): ResponseHead | null {
  const [first = '', ...lines] = head.split('\r\n')
  const line = statusLine.exec(first)
  if (line === null) return null
  const fields: Field[] = []
  for (const each of lines) {
    const field = readField(each)
    if (field === null) return null
    fields.push(field)
  }
  const isVersion11 = line[1] === '1'
  const status = Number(line[2])
  const framing = framingOf(status, isVersion11, fields)
  if (framing === null) return null
  return {
    status,
    framing,
    fields,
    encoding: encodingOf(fields),
    keepsAlive: keepsAlive(fields, isVersion11) && framing !== untilClose,
  }
}

function encodingOf(fields: readonly Field[]): string | null {
  let encoding: string | null = null
  for (const [name, value] of fields) {
    if (name !== 'content-encoding' || value.toLowerCase() === 'identity') continue
    encoding = encoding === null ? value.toLowerCase() : `${encoding}, ${value.toLowerCase()}`
  }
  return encoding
}

/** `close` is final, wherever it stands (RFC 9112, section 9.3). */
function keepsAlive(fields: readonly Field[], isVersion11: boolean): boolean {
  const options = new Set(
    fields
      .filter(([name]) => name === 'connection' || name === 'proxy-connection')
      .flatMap(([, value]) => value.toLowerCase().split(','))
      .map((option) => option.trim()),
  )
  return !options.has('close') && (isVersion11 || options.has('keep-alive'))
}

function framingOf(status: number, isVersion11: boolean, fields: readonly Field[]): Framing | null {
  const lengths = fields.filter(([name]) => name === 'content-length')
  const encodings = fields.filter(([name]) => name === 'transfer-encoding')
  const hasNoBody = status < 200 || status === 204 || status === 304
  const [[, length] = [null, null]] = lengths
  if (lengths.length > 1 || (length !== null && !/^\d{1,15}$/.test(length))) return null
  if (encodings.length > 0) {
    const isChunked = encodings.length === 1 && encodings[0]?.[1].toLowerCase() === 'chunked'
    return isChunked && isVersion11 && !hasNoBody && length === null ? chunked : null
  }
  if (status < 200) return isVersion11 && status !== 101 && length === null ? noBody : null
  if (hasNoBody) return noBody
  return length === null ? untilClose : { kind: 'length', bytes: Number(length) }
}
