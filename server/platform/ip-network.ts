import { type IpAddress, parseIpAddress } from './ip-address.ts'

/** A base address and how many of its bits all addresses of the network share. */
export type Network = [IpAddress, number]

function parseCidr(text: string): Network | null {
  const [base = '', bits = '', ...rest] = text.split('/')
  const address = parseIpAddress(base)
  if (address === null || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return null
  return Number(bits) <= widthOf(address) ? [address, Number(bits)] : null
}

/** Reads a CIDR block or a single address; a block of IPv4 addresses may be written mapped into IPv6. Null for any other text. */
export function parseNetwork(text: string): Network | null {
  const [base = '', bits, ...rest] = text.split('/')
  const address = parseIpAddress(base)
  if (address === null || bits === undefined) return address === null ? null : [address, widthOf(address)]
  if (address.kind() !== 'ipv4' || !base.includes(':')) return parseCidr(text)
  return rest.length > 0 || !/^\d{1,3}$/.test(bits)
    ? null
    : parseCidr(`${address.toString()}/${Number(bits) - 96}`)
}

const widthOf = (address: IpAddress): number => (address.kind() === 'ipv4' ? 32 : 128)
