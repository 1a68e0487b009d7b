import { decodedText } from './decoded-text.ts'

/** An address that a guarded fetch takes, and the `Authorization` header that stood in it. */
export interface PlainAddress {
  readonly url: string
  /** Null: there were no credentials in it. */
  readonly authorization: string | null
}

/** Moves user and password, as in `http://user:password@host`, out of an address. Throws a `TypeError` for what is no URL. */
export function withoutCredentials(address: string): PlainAddress {
  const url = new URL(address)
  if (url.username === '' && url.password === '') return { url: url.href, authorization: null }
  const authorization = basicCredentials(url.username, url.password)
  url.username = ''
  url.password = ''
  return { url: url.href, authorization }
}

/** RFC 7617, with the charset that it names. */
function basicCredentials(username: string, password: string): string {
  const text = `${decodedText(username)}:${decodedText(password)}`
  return `Basic ${new TextEncoder().encode(text).toBase64()}`
}
