import { isIP } from 'node:net'

/** Returns why an address is refused, with the setting that would allow it. */
export function privateAddressText(url: string): string {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const version = isIP(host)
  const block = version === 0 ? `<the address of ${host}>/32` : `${host}/${version === 4 ? 32 : 128}`
  return `a private address; an operator can allow it with GATEHOUSE_ALLOW_PRIVATE=${block}`
}
