const dottedDecimal = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/
const prefixLength = /^(?:0|[1-9]\d{0,2})$/

const isVersion4 = (text: string): boolean =>
  dottedDecimal.test(text) && text.split('.').every((octet) => Number(octet) <= 255)

const isVersion6 = (text: string): boolean =>
  text.includes(':') && !text.includes('%') && URL.canParse(`http://[${text}]/`)

/** What is wrong with an entry of Allowed IPs while it is typed; null: nothing that a browser can tell. */
export function addressProblem(entry: string): string | null {
  const [base = '', ...lengths] = entry.trim().split('/')
  if (/^[\d.]+$/.test(base) && /(?:^|\.)0\d/.test(base))
    return 'expected an address without leading zeros, which some programs read as octal'
  const is4 = isVersion4(base)
  if (!is4 && !isVersion6(base))
    return 'expected an IP address or network such as 192.0.2.7, 198.51.100.0/24 or 2001:db8::/32'
  const longest = is4 ? 32 : 128
  const areLengths = lengths.every((digits) => prefixLength.test(digits) && Number(digits) <= longest)
  return areLengths && lengths.length <= 1 ? null : `expected a prefix length from /0 to /${longest}`
}
