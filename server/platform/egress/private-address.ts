import { isIP } from 'node:net'

import { readAddress } from './address-policy.ts'

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

/** Returns why an address is refused, with the setting that would allow it. */
export function privateAddressText(url: string): string {
  const host = hostOf(url)
  const version = isIP(host)
  const block = version === 0 ? `<the address of ${host}>` : `${host}/${version === 4 ? 32 : 128}`
  return `a private address; an operator can allow it with GATEHOUSE_ALLOW_PRIVATE=${block}`
}

/** Of a refused address, the host that an operator may allow in the console; nothing where only the setting can. */
export function privateHostOf(url: string): { readonly privateHost?: string } {
  const host = hostOf(url)
  return readAddress(host)?.kind === 'special' ? {} : { privateHost: host }
}
