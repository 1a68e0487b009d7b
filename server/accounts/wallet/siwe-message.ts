/** What an EIP-4361 message says. Every field is there: whatever an attacker could leave out is not optional. */
export interface SiweMessage {
  /** Host and port of the page (RFC 3986 authority). */
  readonly domain: string
  /** EIP-55 form. */
  readonly address: string
  readonly statement: string
  readonly uri: string
  readonly version: string
  readonly chainId: number
  readonly nonce: string
  /** Epoch ms. */
  readonly issuedAt: number
  /** Epoch ms. */
  readonly expiresAt: number
}

/**
 * The text that the wallet shows and signs. Our own, because `ox/Siwe` refuses to write messages for hosts of one
 * label (`gate:3000`) and IPv6 addresses; a test compares the two where both can.
 */
export function siweText(message: SiweMessage): string {
  return [
    `${message.domain} wants you to sign in with your Ethereum account:`,
    message.address,
    '',
    message.statement,
    '',
    `URI: ${message.uri}`,
    `Version: ${message.version}`,
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${new Date(message.issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(message.expiresAt).toISOString()}`,
  ].join('\n')
}

const pattern =
  /^(?<domain>\S{1,255}) wants you to sign in with your Ethereum account:\n(?<address>0x[0-9a-fA-F]{40})\n\n(?<statement>[^\n]{1,500})\n\nURI: (?<uri>\S{1,500})\nVersion: (?<version>\S{1,10})\nChain ID: (?<chainId>[1-9]\d{0,15})\nNonce: (?<nonce>[A-Za-z0-9]{8,128})\nIssued At: (?<issuedAt>\S{1,40})\nExpiration Time: (?<expiresAt>\S{1,40})$/

/**
 * Reads a message of exactly the form above; null for any other, so also for one that lacks a field, has one more,
 * or has text around it. (The patterns of `ox/Siwe` find a message anywhere inside a text.)
 */
export function readSiwe(text: string): SiweMessage | null {
  const fields = pattern.exec(text)?.groups
  if (fields === undefined) return null
  const { domain = '', address = '', statement = '', uri = '', version = '', nonce = '' } = fields
  const chainId = Number(fields.chainId)
  const issuedAt = Date.parse(fields.issuedAt ?? '')
  const expiresAt = Date.parse(fields.expiresAt ?? '')
  if (!Number.isSafeInteger(chainId) || Number.isNaN(issuedAt) || Number.isNaN(expiresAt)) return null
  const message = { domain, address, statement, uri, version, chainId, nonce, issuedAt, expiresAt }
  return siweText(message) === text ? message : null
}
