import ipaddr from 'ipaddr.js'
import * as z from 'zod/mini'

/** Parses a list separated by commas. Messages of all schemas here say what is allowed, without the variable's name. */
const csv = z.pipe(
  z.string(),
  z.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
)

const isCidr = (text: string): boolean => ipaddr.isValidCIDR(text) || ipaddr.isValid(text)

const cidrs = csv.check(
  z.refine(
    (list) => list.every(isCidr),
    'addresses or CIDR blocks separated by commas, such as 10.0.0.0/8,::1',
  ),
)

const hostNames = csv.check(
  z.refine(
    (list) => list.every((name) => /^[A-Za-z0-9._-]{1,253}$/.test(name)),
    'host names without scheme and port, separated by commas',
  ),
)

const wholeNumber = (from: number, to: number) =>
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

const onOrOff = z.pipe(
  z.enum(['on', 'off'], 'on or off'),
  z.transform((given) => given === 'on'),
)

const text = (allowed: string) => z.string().check(z.minLength(1, allowed))

const address = (protocols: RegExp, allowed: string) => z.url({ protocol: protocols, error: allowed })

const masterKeys = csv.check(
  z.refine(
    (list) => list.length > 0 && list.every((key) => Buffer.from(key, 'base64').length === 32),
    '32 bytes in base64; several separated by commas, the first of which seals',
  ),
)

const origin = z
  .string()
  .check(
    z.refine(
      (given) =>
        /^https?:\/\//i.test(given) && URL.parse(given)?.origin === given.replace(/\/$/, '').toLowerCase(),
      'scheme, host and port only, such as https://gatehouse.example.org',
    ),
  )

const webAddress = address(/^https?$/, 'an http or https address')

/** Matches a wallet address, a contract wallet's address with its chain (CAIP-10), or a user id at a provider. */
const operatorEntry = /^(?:(?:eip155:[1-9]\d*:)?0x[0-9a-fA-F]{40}|github:\d+|google:[A-Za-z0-9_-]+)$/

const operatorEntries = csv.check(
  z.refine(
    (list) => list.every((entry) => operatorEntry.test(entry)),
    'wallet addresses, github:<user id> or google:<user id>, separated by commas',
  ),
)

const chainRpc = /^[1-9]\d{0,14}=https?:\/\/\S+$/

const chainRpcs = csv.check(
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

interface Variable {
  readonly schema: z.ZodMiniType<unknown, string>
  readonly fallback: string | null
  readonly about: string
  /** The value is never printed, and may also be given as a file by the variable with the suffix `_FILE`. */
  readonly isSecret?: true
}

/** All environment variables that Gatehouse reads, with their purpose. An empty text counts as not set. */
export const variables = {
  GATEHOUSE_HOST: {
    schema: text('an address or host name'),
    fallback: '127.0.0.1',
    about: 'address to listen on',
  },
  GATEHOUSE_PORT: {
    schema: wholeNumber(0, 65_535),
    fallback: '3000',
    about: 'port to listen on; 0 takes a free one',
  },
  GATEHOUSE_DATA_DIR: {
    schema: text('a folder'),
    fallback: './data',
    about: 'where data and generated secrets live',
  },
  GATEHOUSE_FILE: {
    schema: text('a path'),
    fallback: null,
    about: 'the declarative file; ./gatehouse.yaml when that is there',
  },
  GATEHOUSE_ALLOW_PRIVATE: {
    schema: cidrs,
    fallback: '',
    about: 'private addresses that services and other outbound calls may reach, as CIDR blocks',
  },
  GATEHOUSE_TRUSTED_PROXIES: {
    schema: cidrs,
    fallback: '',
    about: 'reverse proxies whose X-Forwarded-For is believed, as CIDR blocks',
  },
  GATEHOUSE_OPERATORS: {
    schema: operatorEntries,
    fallback: '',
    about:
      'who is an operator from the first sign-in on: wallet addresses, github:<user id>, google:<user id>',
  },
  GATEHOUSE_SIGN_UP: {
    schema: z.enum(['open', 'approval', 'closed'], 'open, approval or closed'),
    fallback: null,
    about:
      'who gets an account by signing in: open lets everybody in, approval asks an operator for each, closed admits nobody new; when not set, open on a loopback address and approval elsewhere',
  },
  GATEHOUSE_QUERY_KEYS_PER_ACCOUNT: {
    schema: wholeNumber(0, 10_000),
    fallback: '100',
    about: 'most query keys of one account; operators may have 10000',
  },
  GATEHOUSE_API_KEYS_PER_ACCOUNT: {
    schema: wholeNumber(0, 1_000),
    fallback: '100',
    about: 'most API keys of one account; operators may have 1000',
  },
  GATEHOUSE_MUTATIONS_PER_MINUTE: {
    schema: wholeNumber(0, 100_000),
    fallback: '60',
    about: 'how many changes an account may make in a minute; operators are not limited',
  },
  GATEHOUSE_MUTATIONS_PER_DAY: {
    schema: wholeNumber(0, 10_000_000),
    fallback: '1000',
    about: 'how many changes an account may make in a day; operators are not limited',
  },
  GATEHOUSE_PUBLIC_URL: {
    schema: origin,
    fallback: null,
    about: 'where browsers reach this installation; http://<host>:<port> when not set',
  },
  GATEHOUSE_ALLOWED_HOSTS: {
    schema: hostNames,
    fallback: '',
    about: 'further host names under which programs reach this installation, such as the name of a service',
  },
  GATEHOUSE_CHAIN_RPC: {
    schema: chainRpcs,
    fallback: '',
    isSecret: true,
    about: 'nodes that check the signatures of contract wallets at sign-in, as <chain id>=<address>,…',
  },
  GATEHOUSE_GITHUB_CLIENT_ID: {
    schema: text('a text'),
    fallback: null,
    about: 'OAuth app with which people sign in by GitHub; its callback is <public url>/auth/callback/github',
  },
  GATEHOUSE_GITHUB_CLIENT_SECRET: {
    schema: text('a text'),
    fallback: null,
    isSecret: true,
    about: 'secret of that app',
  },
  GATEHOUSE_GITHUB_AUTHORIZE_URL: {
    schema: webAddress,
    fallback: 'https://github.com/login/oauth/authorize',
    about: 'for GitHub Enterprise',
  },
  GATEHOUSE_GITHUB_TOKEN_URL: {
    schema: webAddress,
    fallback: 'https://github.com/login/oauth/access_token',
    about: 'for GitHub Enterprise',
  },
  GATEHOUSE_GITHUB_USER_URL: {
    schema: webAddress,
    fallback: 'https://api.github.com/user',
    about: 'for GitHub Enterprise',
  },
  GATEHOUSE_GOOGLE_CLIENT_ID: {
    schema: text('a text'),
    fallback: null,
    about:
      'OAuth client with which people sign in by Google; its callback is <public url>/auth/callback/google',
  },
  GATEHOUSE_GOOGLE_CLIENT_SECRET: {
    schema: text('a text'),
    fallback: null,
    isSecret: true,
    about: 'secret of that client',
  },
  GATEHOUSE_GOOGLE_AUTHORIZE_URL: {
    schema: webAddress,
    fallback: 'https://accounts.google.com/o/oauth2/v2/auth',
    about: 'for another OpenID Connect provider in place of Google',
  },
  GATEHOUSE_GOOGLE_TOKEN_URL: {
    schema: webAddress,
    fallback: 'https://oauth2.googleapis.com/token',
    about: 'for another OpenID Connect provider in place of Google',
  },
  GATEHOUSE_GOOGLE_JWKS_URL: {
    schema: webAddress,
    fallback: 'https://www.googleapis.com/oauth2/v3/certs',
    about: 'for another OpenID Connect provider in place of Google',
  },
  GATEHOUSE_GOOGLE_ISSUER: {
    schema: text('the iss of its ID tokens'),
    fallback: 'https://accounts.google.com',
    about: 'for another OpenID Connect provider in place of Google',
  },
  GATEHOUSE_REVEAL_KEYS: {
    schema: onOrOff,
    fallback: 'on',
    about: 'on or off: whether the owner of an API key can see its value again',
  },
  GATEHOUSE_LIMITS_WHEN_STORE_LOST: {
    schema: z.enum(['closed', 'share'], 'closed or share'),
    fallback: 'closed',
    about:
      'calls while REDIS_URL is away, or has lost what a process that is gone had admitted: closed refuses them, share lets each process admit its part of every limit',
  },
  GATEHOUSE_AGENT_REGISTRATION: {
    schema: onOrOff,
    fallback: 'on',
    about: 'on or off: whether agents may register themselves, besides those that have a metadata document',
  },
  GATEHOUSE_AGENT_CLIENTS: {
    schema: hostNames,
    fallback: null,
    about:
      'hosts whose agents alone are admitted by OAuth, such as claude.ai,chatgpt.com; registration is off then',
  },
  GATEHOUSE_AGENT_APPS: {
    schema: csv.check(
      z.refine(
        (list) => list.every((scheme) => /^[a-z][a-z0-9+.-]{0,50}$/.test(scheme) && !webSchemes.has(scheme)),
        'schemes of apps separated by commas, such as cursor,vscode',
      ),
    ),
    fallback: 'cursor,vscode,vscode-insiders',
    about: "schemes of apps on people's computers to which agents may be sent back by OAuth",
  },
  GATEHOUSE_LOG_LEVEL: {
    schema: z.enum(['debug', 'info', 'warn', 'error'], 'one of debug, info, warn, error'),
    fallback: 'info',
    about: 'least level that is logged',
  },
  GATEHOUSE_DRAIN_DELAY_MS: {
    schema: wholeNumber(0, 20_000),
    fallback: '0',
    about: 'how long to go on serving after SIGTERM, so that a load balancer can turn away',
  },
  GATEHOUSE_METRICS_TOKEN: {
    schema: text('a text'),
    fallback: null,
    isSecret: true,
    about: 'bearer token of /metrics and /metrics/services; generated into the data folder when not set',
  },
  GATEHOUSE_MASTER_KEY: {
    schema: masterKeys,
    fallback: null,
    isSecret: true,
    about:
      'key that seals stored secrets, 32 bytes in base64; of several, separated by commas, the first seals and all open; generated into the data folder when not set',
  },
  DATABASE_URL: {
    schema: address(/^postgres(ql)?$/, 'an address such as postgres://user@host/database'),
    fallback: null,
    isSecret: true,
    about: 'PostgreSQL to use; without it an embedded one is started in the data folder',
  },
  REDIS_URL: {
    schema: address(/^rediss?$/, 'an address such as redis://host:6379'),
    fallback: null,
    isSecret: true,
    about: 'shared store when several processes serve one installation',
  },
} as const satisfies Record<string, Variable>

export type VariableName = keyof typeof variables
export const variableNames = Object.keys(variables) as VariableName[]
export type Values = { readonly [name in VariableName]: z.infer<(typeof variables)[name]['schema']> | null }

/** Returns the value of a variable that has a fallback, and therefore always a value. */
export function required<T>(value: T | null): T {
  if (value === null) throw new TypeError('a variable with a fallback has no value')
  return value
}
