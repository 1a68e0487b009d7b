import { type IpAddress, parseIpAddress } from './ip-address.ts'

/** A base address and how many of its bits all addresses of the network share. */
export type Network = [IpAddress, number]

/** Reads a CIDR block or a single address; a block of IPv4 addresses may be written mapped into IPv6. Null for any other text. */
export function parseNetwork(text: string): Network | null {
  const [base = '', bits, ...rest] = text.split('/')
  const address = parseIpAddress(base)
  if (address === null || rest.length > 0) return null
  const width = address.kind() === 'ipv4' ? 32 : 128
  if (bits === undefined) return [address, width]
  if (!/^\d{1,3}$/.test(bits)) return null
  const isMapped = address.kind() === 'ipv4' && base.includes(':')
  const length = Number(bits) - (isMapped ? 96 : 0)
  return length >= 0 && length <= width ? [address, length] : null
}
