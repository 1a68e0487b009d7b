/**
 * Allowed Domains. A rule is `[scheme://]host[:port]`: without a scheme both http and https, without a port any.
 * In the host an asterisk stands for
 * - `*.x.y`: one or more labels left of x.y, and not x.y itself;
 * - `a.*.x.y`: exactly one label;
 * - `app-*.x.y`: one or more of a-z 0-9 and hyphen inside the label, never a dot;
 * - `*` alone: any domain, but there must be one.
 * The last two labels are literal. Hosts are compared as the URL parser gives them (lower case, punycode) and without
 * a trailing dot; label by label, never by a regular expression made of what somebody wrote.
 */

export interface DomainRule {
  /** As it applies; reading it again gives the same rule. */
  readonly text: string
  readonly scheme: WebScheme | null
  readonly port: number | null
  /** What the host is, or ends with when the rule is deep; null: any host. */
  readonly host: string | null
  /** One or more further labels must stand left of it. */
  readonly isDeep: boolean
}

type WebScheme = 'http' | 'https'

export type DomainReading =
  | { readonly kind: 'rule'; readonly rule: DomainRule }
  /** `why` reads on after the name of the field. */
  | { readonly kind: 'refused'; readonly why: string }

const defaultPorts: Readonly<Record<WebScheme, number>> = { http: 80, https: 443 }

/** The longest host name (253, RFC 1035) with a scheme and a port. */
const maxRuleChars = 300
/** The longest origin that is looked at; the longest real one is shorter than a rule. */
const maxOriginChars = 300

const refused = (why: string): DomainReading => ({ kind: 'refused', why })

/** Reads one entry of Allowed Domains. */
export function parseDomainRule(entry: string): DomainReading {
  const text = entry.trim().toLowerCase()
  if (text.length > maxRuleChars) return refused(`expected at most ${maxRuleChars} characters`)
  const schemeEnd = text.indexOf('://')
  const schemeText = schemeEnd < 0 ? null : text.slice(0, schemeEnd)
  if (schemeText !== null && schemeText !== 'http' && schemeText !== 'https') {
    return refused('expected the scheme http:// or https://, or none for both')
  }
  const place = schemeEnd < 0 ? text : text.slice(schemeEnd + '://'.length)
  if (/[\s/\\?#@%,]/.test(place)) {
    return refused('expected a domain such as app.example.com or *.example.com, without path, user or spaces')
  }
  const { host, port } = splitPort(place)
  if (port === 'wrong') return refused('expected a port from 1 to 65535')

  const reading = readHost(host)
  if ('why' in reading) return refused(reading.why)
  const prefix = schemeText === null ? '' : `${schemeText}://`
  const suffix = port === null ? '' : `:${port}`
  const canonical = reading.host === null ? '*' : (reading.isDeep ? '*.' : '') + reading.host
  return { kind: 'rule', rule: { text: prefix + canonical + suffix, scheme: schemeText, port, ...reading } }
}

function splitPort(place: string): { host: string; port: number | null | 'wrong' } {
  const colon = place.lastIndexOf(':')
  // The colons of `[2001:db8::1]` are no ports.
  if (colon < 0 || place.endsWith(']')) return { host: place, port: null }
  const digits = place.slice(colon + 1)
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0
  return { host: place.slice(0, colon), port: port >= 1 && port <= 65_535 ? port : 'wrong' }
}

type HostReading = Pick<DomainRule, 'host' | 'isDeep'> | { readonly why: string }

function readHost(written: string): HostReading {
  if (written === '*') return { host: null, isDeep: false }
  const host = written.endsWith('.') ? written.slice(0, -1) : written
  const isDeep = host.startsWith('*.')
  const rest = isDeep ? host.slice('*.'.length) : host
  if (rest.startsWith('[')) return readIpv6Host(rest, isDeep)

  const labels = rest.split('.')
  if (labels.includes('')) return { why: 'expected a domain without empty parts' }
  if (labels.slice(-2).some(hasWildcard) || (isDeep && labels.length < 2)) {
    return { why: 'expected the last two parts without *, such as *.example.com' }
  }
  if (labels.some((label) => hasWildcard(label) && !isWildcardLabel(label))) {
    return { why: 'expected only a-z, 0-9 and - beside a * inside a part, and no two * together' }
  }
  const canonical = canonicalLabels(labels)
  if (canonical === null) return { why: 'expected a domain that browsers understand' }
  return { host: canonical.join('.'), isDeep }
}

function readIpv6Host(host: string, isDeep: boolean): HostReading {
  const url = `http://${host}/`
  if (isDeep || hasWildcard(host) || !URL.canParse(url)) {
    return { why: 'expected an IPv6 address in brackets such as [2001:db8::1]' }
  }
  return { host: new URL(url).hostname, isDeep: false }
}

const hasWildcard = (label: string): boolean => label.includes('*')

/** Others would be changed by the URL parser in a way that does not commute with the asterisk. */
const isWildcardLabel = (label: string): boolean => /^[a-z0-9*-]+$/.test(label) && !label.includes('**')

/** As the URL parser writes the host, with the asterisks kept; null when that is another host than was written. */
function canonicalLabels(labels: readonly string[]): readonly string[] | null {
  const url = `http://${labels.map((label) => (hasWildcard(label) ? 'x' : label)).join('.')}/`
  if (!URL.canParse(url)) return null
  const { hostname } = new URL(url)
  // `0x7f.0.0.1` would silently become 127.0.0.1.
  if (isIpv4(hostname) && hostname !== labels.join('.')) return null
  const parsed = hostname.split('.')
  // Full-width dots, for instance, make two labels of one.
  if (parsed.length !== labels.length || parsed.includes('')) return null
  return parsed.map((label, place) => {
    const written = labels[place] ?? label
    return hasWildcard(written) ? written : label
  })
}

const isIpv4 = (hostname: string): boolean => /^[\d.]+$/.test(hostname)

/**
 * Whether a page's origin (`scheme://host[:port]`; null when there is none that can be believed) is on the list.
 * An empty list allows everybody.
 */
export const isDomainAllowed = (rules: readonly DomainRule[], origin: string | null): boolean =>
  rules.length === 0 || (origin !== null && matchingRule(rules, origin) !== null)

/** The first rule that lets pages of this origin in. */
export function matchingRule(rules: readonly DomainRule[], origin: string): DomainRule | null {
  const page = readOrigin(origin)
  return page === null ? null : (rules.find((rule) => matches(rule, page)) ?? null)
}

/** For `*.x.y` the rule for x.y itself, which that one leaves out; null where there is nothing to add. */
export function apexOf(rule: DomainRule): string | null {
  if (!rule.isDeep || rule.host === null || hasWildcard(rule.host)) return null
  return rule.text.replace('*.', '')
}

interface PageOrigin {
  readonly scheme: WebScheme
  readonly port: number
  readonly host: string
}

function readOrigin(origin: string): PageOrigin | null {
  if (origin.length > maxOriginChars || !URL.canParse(origin)) return null
  const { protocol, hostname, port } = new URL(origin)
  if (protocol !== 'http:' && protocol !== 'https:') return null
  const scheme = protocol === 'http:' ? 'http' : 'https'
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  if (host === '' || host.startsWith('.') || host.includes('..')) return null
  return { scheme, port: port === '' ? defaultPorts[scheme] : Number(port), host }
}

function matches(rule: DomainRule, page: PageOrigin): boolean {
  if (rule.scheme !== null && rule.scheme !== page.scheme) return false
  if (rule.port !== null && rule.port !== page.port) return false
  if (rule.host === null) return true
  if (hasWildcard(rule.host)) return labelsMatch(rule.host.split('.'), page.host.split('.'), rule.isDeep)
  return rule.isDeep ? isBelow(page.host, rule.host) : page.host === rule.host
}

const isBelow = (host: string, domain: string): boolean =>
  host.endsWith(domain) && host.charAt(host.length - domain.length - 1) === '.'

function labelsMatch(patterns: readonly string[], labels: readonly string[], isDeep: boolean): boolean {
  const further = labels.length - patterns.length
  if (isDeep ? further < 1 : further !== 0) return false
  return patterns.every((pattern, place) => labelMatches(pattern, labels[further + place] ?? ''))
}

function labelMatches(pattern: string, label: string): boolean {
  if (pattern === '*') return true
  if (!hasWildcard(pattern)) return pattern === label
  return /^[a-z0-9-]+$/.test(label) && fits(pattern.split('*'), label)
}

/** Whether a text begins and ends with the outer pieces and holds the others in order, with something between all. */
function fits(pieces: readonly string[], text: string): boolean {
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let reached = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, reached + 1)
    if (found < 0) return false
    reached = found + piece.length
  }
  return text.length - last.length > reached
}
