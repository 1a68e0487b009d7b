import type { EgressErrorCode } from '../../../server/platform/egress.ts'

/** Addresses of the namespace. The public ones answer and have a certificate; the others must never be dialled. */
export const publicIpv4 = '93.184.216.34'
export const publicIpv6 = '2606:4700:1111::1'
export const internalAddresses = [
  '127.0.0.1',
  '10.0.0.5',
  '172.16.0.5',
  '192.168.0.5',
  '169.254.169.254',
  '100.64.0.5',
  '198.18.0.5',
  '::1',
  'fd00::5',
  '64:ff9b::7f00:1',
  '2002:7f00:1::1',
] as const

/** What the namespace's own name server says. `afterwards` replaces the answer after the first question. */
export interface NameRecords {
  a?: readonly string[]
  aaaa?: readonly string[]
  alias?: string
  afterwards?: NameRecords
}

export const zone: Readonly<Record<string, NameRecords>> = {
  'public.test': { a: [publicIpv4] },
  'public6.test': { aaaa: [publicIpv6] },
  'other.test': { a: [publicIpv4] },
  localhost: { a: ['127.0.0.1'], aaaa: ['::1'] },
  'private.test': { a: ['10.0.0.5'] },
  'metadata.test': { a: ['169.254.169.254'] },
  'private6.test': { aaaa: ['fd00::5'] },
  'mapped.test': { aaaa: ['::ffff:127.0.0.1'] },
  'mixed.test': { a: [publicIpv4, '10.0.0.5'] },
  'mixed6.test': { a: [publicIpv4], aaaa: ['::1'] },
  'alias.test': { alias: 'private.test' },
  'rebind.test': { a: [publicIpv4], afterwards: { a: ['10.0.0.5'] } },
}

export type CaseOutcome = 'answered' | 'got in' | EgressErrorCode

export interface SsrfCase {
  name: string
  url: string
  expected: CaseOutcome
  /** Asks once, and lets the name cache go stale, before the question that counts. */
  askTwice?: true
  /** The platform's own fetch, with no name to look up, gets in: the case can fail. */
  bareFetchGetsIn?: true
}

const literal = (name: string, host: string): SsrfCase => ({
  name,
  url: `http://${host}/`,
  expected: 'ADDRESS',
  bareFetchGetsIn: true,
})

const named = (name: string, host: string): SsrfCase => ({
  name,
  url: `http://${host}/`,
  expected: 'ADDRESS',
})

export const mustWork: readonly SsrfCase[] = [
  { name: 'public name over http', url: 'http://public.test/', expected: 'answered' },
  { name: 'public name over https', url: 'https://public.test/', expected: 'answered' },
  { name: 'public name with an IPv6 address', url: 'http://public6.test/', expected: 'answered' },
]

export const mustFailTls: readonly SsrfCase[] = [
  { name: 'certificate of another name', url: 'https://other.test/', expected: 'TLS' },
]

export const mustBeBlocked: readonly SsrfCase[] = [
  literal('loopback', '127.0.0.1'),
  literal('decimal', '2130706433'),
  literal('octal', '0177.0.0.1'),
  literal('hexadecimal', '0x7f000001'),
  literal('short', '127.1'),
  literal('full-width digits', '１２７.０.０.１'),
  literal('ideographic full stops', '127。0。0。1'),
  literal('trailing dot', '127.0.0.1.'),
  literal('this host', '0.0.0.0'),
  literal('private 10/8', '10.0.0.5'),
  literal('private 172.16/12', '172.16.0.5'),
  literal('private 192.168/16', '192.168.0.5'),
  literal('cloud metadata', '169.254.169.254'),
  literal('carrier-grade NAT', '100.64.0.5'),
  literal('benchmarking', '198.18.0.5'),
  literal('IPv6 loopback', '[::1]'),
  literal('IPv4-mapped', '[::ffff:127.0.0.1]'),
  literal('IPv4-mapped metadata in hex', '[::ffff:a9fe:a9fe]'),
  literal('NAT64', '[64:ff9b::7f00:1]'),
  literal('6to4', '[2002:7f00:1::1]'),
  literal('unique local', '[fd00::5]'),
  literal('IPv6 unspecified', '[::]'),
  named('localhost', 'localhost'),
  named('name of a private address', 'private.test'),
  named('name of the metadata address', 'metadata.test'),
  named('name of a unique local address', 'private6.test'),
  named('name of an IPv4-mapped address', 'mapped.test'),
  named('name of a public and a private address', 'mixed.test'),
  named('name of a public IPv4 and a loopback IPv6 address', 'mixed6.test'),
  named('alias of a private name', 'alias.test'),
  { ...named('name that rebinds', 'rebind.test'), askTwice: true },
  {
    name: 'redirect to loopback',
    url: `http://${publicIpv4}/302?to=http://127.0.0.1/`,
    expected: 'REDIRECT',
    bareFetchGetsIn: true,
  },
  {
    name: 'redirect from https to a private address',
    url: 'https://public.test/307?to=http://10.0.0.5/',
    expected: 'REDIRECT',
  },
  { name: 'userinfo', url: 'http://public.test@127.0.0.1/', expected: 'USERINFO', bareFetchGetsIn: true },
  { name: 'file', url: 'file:///etc/passwd', expected: 'SCHEME', bareFetchGetsIn: true },
  { name: 'data', url: 'data:text/plain,internal', expected: 'SCHEME', bareFetchGetsIn: true },
]

export const allCases: readonly SsrfCase[] = [...mustWork, ...mustFailTls, ...mustBeBlocked]

/** What `matrix.ts` prints, as one line of JSON. */
export interface MatrixReport {
  /** Outcomes: by `request`, by `fetch`, and by `fetch` over sockets of our own. */
  cases: Record<string, { outcomes: CaseOutcome[]; bareFetchGotIn: boolean }>
  /** Connections that internal addresses accepted, while the guarded and while the bare fetch was asked. */
  acceptedFromGuarded: number
  acceptedFromBare: Record<string, number>
}
