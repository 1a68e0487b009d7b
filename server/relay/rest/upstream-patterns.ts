import { isLoopbackHost } from '../../../shared/loopback-names.ts'
import type { Upstream } from '../../endpoints/endpoints.ts'
import { decodedText } from '../../platform/decoded-text.ts'
import { addressRest, parameterValue, unescapedPart, wordStart, written } from './written-forms.ts'

/** Shorter ones are words that results hold, too. */
const leastSecretChars = 8

/** Segments such as `blockchain`, `algorand-mainnet` and `cosmoshub-4` stand in results for what they mean. */
const ordinaryName = /^[a-z]{1,20}(?:[-_.][a-z]{1,20})*(?:-\d{1,9})?$/i

/** A number in a result is one of the chain. */
const number = /^\d{1,20}$/

/** Headers that say nothing that is secret. */
const ordinaryHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent'])

/** What is looked for in the results of an upstream. */
export interface UpstreamPatterns {
  /** Its origin as the head of an address, with the path that it is called at. */
  readonly links: RegExp
  /** That path where it stands without an origin; null when it holds no secret. */
  readonly paths: RegExp | null
  /** What follows a mark of one of the two up to the end of the address; null when the upstream has no parameters. */
  readonly parameters: OwnParameters | null
  /** Everything else: its host, and what is secret. */
  readonly others: RegExp
}

/** The parameters that an upstream's own address brings. */
interface OwnParameters {
  readonly further: RegExp
  readonly first: RegExp
}

const slash = written('/')
const colon = written(':')
/** A longer name, or another port, is another host. */
const hostEnd = String.raw`(?![\w-]|\.\w|${colon}\d)`
const pathEnd = String.raw`(?![\w.~-])`

/** Returns the path of an upstream that calls are put behind. */
const prefixOf = ({ pathname }: URL): string => decodedText(pathname.replace(/\/$/, ''))

export function patternsOf(upstream: Upstream): UpstreamPatterns {
  const url = new URL(upstream.url)
  const secrets = secretsOfResults(upstream)
  const prefix = prefixOf(url)
  const head = `https?${colon}${slash}${slash}${hostOf(url)}${hostEnd}`
  const behind = prefix === '' ? '' : `(?:${written(prefix)}${pathEnd})?`
  const isSecretPath = prefix.split('/').some((segment) => secrets.includes(segment))
  return {
    links: new RegExp(head + behind, 'gi'),
    paths: isSecretPath
      ? new RegExp(String.raw`(?<=^|[\s"'<(=,]|%22)${written(prefix)}${pathEnd}`, 'gi')
      : null,
    parameters: parametersOf(url),
    others: new RegExp([...hostForms(url), ...secrets.map(secretForm)].join('|'), 'gi'),
  }
}

/** The host with its port; that of the scheme is mostly left out, and may be written. */
const hostOf = ({ hostname, host, port }: URL): string =>
  port === '' ? `${written(hostname)}(?:${colon}(?:80|443))?` : written(host)

/** Whether a name stands for the host wherever it is: `localhost` and `lighthouse` may mean something else. */
const isTelling = ({ hostname }: URL): boolean => !isLoopbackHost(hostname) && /[.:]/.test(hostname)

function hostForms(url: URL): string[] {
  const { hostname, port } = url
  const forms = port === '' ? [] : [`${wordStart}${written(url.host)}${hostEnd}`]
  if (isTelling(url)) return [...forms, String.raw`${wordStart}${written(hostname)}(?![\w-]|\.\w)`]
  return port === '' ? [`(?<=${slash}${slash})${hostOf(url)}${hostEnd}`] : forms
}

const secretForm = (secret: string): string => `${wordStart}${written(secret)}(?![a-z0-9])`

function parametersOf({ searchParams }: URL): OwnParameters | null {
  const own = [...searchParams].map(
    ([name, value]) => `${written(name)}${written('=')}(?:${written(value)}(?!\\w)|${parameterValue})`,
  )
  if (own.length === 0) return null
  const one = `(?:${own.join('|')})`
  return {
    further: new RegExp(written('&') + one, 'gi'),
    first: new RegExp(`(${written('?')})${one}(${written('&')})?`, 'gi'),
  }
}

/** Begins with a mark; `marks` are the characters that stand for links at that time. */
export const addressesBehind = (marks: string): RegExp => new RegExp(`[${marks}]${addressRest}`, 'gi')

/** Returns what of an upstream is a secret also in results, in which other words of its address are data. */
function secretsOfResults({ url, headers }: Upstream): string[] {
  const { pathname, searchParams, username, password } = new URL(url)
  const segments = pathname.split('/').map(decodedText)
  const credentials = Object.entries(headers)
    .filter(([name]) => !ordinaryHeaders.has(name.toLowerCase()))
    .flatMap(([, value]) => [value, ...value.split(/\s+/)])
  const secrets = [
    ...segments.filter((segment) => !ordinaryName.test(segment)),
    ...searchParams.values(),
    ...[username, password].map(decodedText),
    ...credentials,
  ].filter((secret) => secret.length >= leastSecretChars && !number.test(secret))
  return [...new Set(secrets)].toSorted((one, other) => other.length - one.length)
}

/**
 * Returns bytes of which every result that holds something of the upstream has one, in any of its forms: where none is found,
 * there is nothing to be done.
 */
export function needlesOf(upstream: Upstream): readonly Buffer[] {
  const url = new URL(upstream.url)
  const { hostname, port } = url
  const ends = ['/', '%2F', '%2f'].map((form) => form + hostname)
  const ports = port === '' ? [] : [':', '%3A', '%3a'].map((form) => hostname + form + port)
  const hosts = isTelling(url) ? [hostname] : port === '' ? ends : ports
  return [...hosts, ...secretsOfResults(upstream).map(unescapedPart)].map((needle) => Buffer.from(needle))
}
