import * as z from 'zod/mini'

import { identityPattern } from '../../shared/identity-names.ts'
import { nameText } from '../../shared/text.ts'
import { parseNetwork } from '../platform/ip-network.ts'
import { AddressProblem, parseAddress } from '../platform/postgres/connection-address.ts'
import { StoreAddressProblem, parseStoreAddress } from '../platform/shared-store/store-address.ts'

/** What variables of the environment may hold. */

export interface Variable {
  readonly schema: z.ZodMiniType<unknown, string>
  readonly fallback: string | null
  readonly about: string
  /** The value is never printed, and may also be given as a file by the variable with the suffix `_FILE`. */
  readonly isSecret?: true
}

/** Parses a list separated by commas. Messages of all schemas here say what is allowed, without the variable's name. */
export const csv = z.pipe(
  z.string(),
  z.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
)

export const networks = csv.check(
  z.refine(
    (list) => list.every((network) => parseNetwork(network) !== null),
    'addresses or CIDR blocks separated by commas, such as 10.0.0.0/8,::1',
  ),
)

export const hostNames = csv.check(
  z.refine(
    (list) => list.every((name) => /^[A-Za-z0-9._-]{1,253}$/.test(name)),
    'host names without scheme and port, separated by commas',
  ),
)

const hostName = /^(?!-)[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?$/
const hostAllowed = 'an IP address or a host name alone, such as 0.0.0.0, :: or gatehouse.internal'

/** An IPv6 address may stand in brackets, as in a URL; the listener takes it without. */
export const listenHost = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.replace(/^\[(.+)\]$/, '$1')),
  ),
  z.string().check(
    z.refine(
      // What no URL may hold, such as the zone of an address, could not be told to browsers.
      (host) => (hostName.test(host) && URL.canParse(`http://${host}`)) || URL.canParse(`http://[${host}]`),
      hostAllowed,
    ),
  ),
)

export const wholeNumber = (from: number, to: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d+$/, `a whole number from ${from} to ${to}`)),
    z.pipe(
      z.transform(Number),
      z
        .number()
        .check(
          z.minimum(from, `a whole number from ${from} to ${to}`),
          z.maximum(to, `a whole number from ${from} to ${to}`),
        ),
    ),
  )

const mostWorkers = 64
const workersAllowed = `auto, or a whole number from 1 to ${mostWorkers}`

export const workerCount = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => text === 'auto' || (/^\d{1,3}$/.test(text) && +text >= 1 && +text <= mostWorkers),
        workersAllowed,
      ),
    ),
  z.transform((text) => (text === 'auto' ? text : Number(text))),
)

export const onOrOff = z.pipe(
  z.enum(['on', 'off'], 'on or off'),
  z.transform((given) => given === 'on'),
)

export const someText = (allowed: string) => z.string().check(z.minLength(1, allowed))

export const addressWith = (protocols: RegExp, allowed: string) =>
  z.url({ protocol: protocols, error: allowed })

const headerPair = /^[!#$&'*+.^_`|~0-9A-Za-z-]+=(?:[ -$&-~]|%[2-7][0-9A-Fa-f])*$/

/** Headers as OpenTelemetry writes them, values percent-encoded. */
export const headerList = csv.check(
  z.refine((list) => list.every((pair) => headerPair.test(pair)), 'name=value, several separated by commas'),
)

export const databaseAddress = z.string().check((context) => {
  try {
    parseAddress(context.value)
  } catch (error) {
    if (!(error instanceof AddressProblem)) throw error
    context.issues.push({ code: 'custom', message: error.message, input: context.value })
  }
})

export const storeAddress = z.string().check((context) => {
  try {
    parseStoreAddress(context.value)
  } catch (error) {
    if (!(error instanceof StoreAddressProblem)) throw error
    context.issues.push({ code: 'custom', message: error.message, input: context.value })
  }
})

export const storePrefix = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/, 'letters, digits and . _ : - , 64 at most'))

export const masterKeys = csv.check(
  z.refine(
    (list) => list.length > 0 && list.every((key) => Buffer.from(key, 'base64').length === 32),
    '32 bytes in base64; several separated by commas, the first of which seals',
  ),
)

export const originOnly = z
  .string()
  .check(
    z.refine(
      (given) =>
        /^https?:\/\//i.test(given) && URL.parse(given)?.origin === given.replace(/\/$/, '').toLowerCase(),
      'scheme, host and port only, such as https://gatehouse.example.org',
    ),
  )

export const internalOrigin = z
  .string()
  .check(
    z.refine(
      (given) =>
        /^http:\/\/[^/]+:[1-9]\d*\/?$/i.test(given) &&
        URL.parse(given)?.origin === given.replace(/\/$/, '').toLowerCase(),
      'http, host and port only, such as http://10.0.0.5:3001',
    ),
  )

const isLoopbackUrl = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** OpenID Connect Discovery 1.0, section 3; compared to the letter, so that it is kept as it is written. */
export const issuerAddress = z.string().check(
  z.refine((given) => {
    const url = /^[A-Za-z0-9._~:/%[\]-]{1,200}$/.test(given) ? URL.parse(given) : null
    return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url)))
  }, 'an https address of at most 200 characters without user, query and fragment, such as https://id.example.org/realms/main; http on a loopback address only'),
)

const ShownName = nameText(40)

export const shownName = z.string().check(
  z.trim(),
  z.refine(
    (name) => z.safeParse(ShownName, name).success,
    'a name of at most 40 characters, without control, invisible or direction-changing characters',
  ),
)

export const httpAddress = addressWith(/^https?$/, 'an http or https address')

const group =
  /^(?:github-org:[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})|(?:google|oidc)-domain:[A-Za-z0-9.-]{1,253}|oidc-group:\P{C}{1,200})$/u

export const allowEntries = csv.check(
  z.refine(
    (list) => list.every((entry) => identityPattern.test(entry) || group.test(entry)),
    'wallet addresses, github:<user id>, google:<user id>, oidc:<issuer>#<subject>, github-org:<name>, google-domain:<domain>, oidc-domain:<domain> or oidc-group:<name>, separated by commas',
  ),
)

export const operatorEntries = csv.check(
  z.refine(
    (list) => list.every((entry) => identityPattern.test(entry)),
    'wallet addresses, github:<user id>, google:<user id> or oidc:<issuer>#<subject>, separated by commas',
  ),
)

const chainRpc = /^[1-9]\d{0,14}=https?:\/\/\S+$/

export const chainRpcs = csv.check(
  z.refine(
    (list) =>
      list.every((entry) => chainRpc.test(entry) && URL.canParse(entry.slice(entry.indexOf('=') + 1))),
    'entries such as 1=https://rpc.example.org separated by commas',
  ),
)

/** Of these an answer would be a page, a file or a script, and no app. */
const webSchemes: ReadonlySet<string> = new Set([
  'http',
  'https',
  'javascript',
  'data',
  'file',
  'blob',
  'about',
  'vbscript',
  'ws',
  'wss',
  'ftp',
])

export const appSchemes = csv.check(
  z.refine(
    (list) => list.every((scheme) => /^[a-z][a-z0-9+.-]{0,50}$/.test(scheme) && !webSchemes.has(scheme)),
    'schemes of apps separated by commas, such as cursor,vscode',
  ),
)
