/**
 * Configuration of the process. The environment has settings (addresses, secrets, sign-in providers); a declarative
 * YAML file has what operators manage as code (chains, services, endpoints, the registry's source).
 *
 * Environment, read once at the start:
 *  1. `env.ts` is the only file that touches `process.env`.
 *  2. `readConfig` checks every variable against the schema of `variables.ts`, reports all mistakes at once, and freezes
 *     the result; `sign-in.ts` combines the variables of each sign-in provider.
 *  3. `data-folder.ts` reads the secrets that are not set from the data folder, or generates them.
 * Configuration file, watched while the process is running:
 *  1. `watched-file.ts` opens the file and polls it, because file events are lost on network drives.
 *  2. `declarative-file.ts` parses YAML 1.2, checks every field and locates each mistake by line.
 *  3. A callback (`compose/`) checks the meaning and applies the content as a whole.
 *
 * Failure: a mistake at the start ends the process with every problem listed. A mistake in a changed file is logged and
 * shown to operators, and the previous content stays active. Messages name variables and fields, never their values.
 *
 * Limitations: a changed environment needs a restart. A file that disappears counts as a mistake, not as an empty file.
 */

import * as z from 'zod/mini'

import type { SignUpPolicy } from '../../shared/accounts.ts'
import { apiKeyVariable } from '../../shared/agent-clients.ts'
import { meantName } from '../platform/meant-name.ts'
import { chainRpcsIn, defaultSignUp, githubIn, googleIn, incompleteIn, oidcIn } from './sign-in.ts'
import type { GithubConfig, GoogleConfig, OidcConfig } from './sign-in.ts'
import { type Values, type VariableName, required, variableNames, variables } from './variables.ts'

/** All settings of the environment, read once at the start and frozen. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** How many processes serve the port. */
  readonly workers: number | 'auto'
  /** Null unless this process is one of several workers, which a supervisor tells more than the environment has. */
  readonly worker: WorkerPlace | null
  /** Path of the configuration file; null for `./gatehouse.yaml`, if it exists. */
  readonly file: string | null
  readonly allowPrivate: readonly string[]
  readonly trustedProxies: readonly string[]
  readonly operators: readonly string[]
  readonly signUp: SignUpPolicy
  /** Who needs neither approval nor an invitation. */
  readonly signUpAllow: readonly string[]
  /** Most keys of an account that is not an operator's. */
  readonly keysPerAccount: { readonly query: number; readonly api: number }
  /** How often an account that is not an operator's may change something. */
  readonly mutationRates: { readonly perMinute: number; readonly perDay: number }
  /** Address for browsers; null when it follows from host and port. */
  readonly publicUrl: string | null
  /** Address for other processes of this installation; null for a free port of this machine. */
  readonly internalUrl: string | null
  /** Host names besides those that follow from the addresses. */
  readonly allowedHosts: readonly string[]
  /** Nodes that check the signatures of contract wallets, by chain id. */
  readonly chainRpcs: ReadonlyMap<number, string>
  /** Null when sign-in by GitHub is not configured; `google` and `oidc` alike. */
  readonly github: GithubConfig | null
  readonly google: GoogleConfig | null
  readonly oidc: OidcConfig | null
  /** Whether owners can see the value of an API key again. */
  readonly canRevealKeys: boolean
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
  readonly drainDelayMs: number
  /** Null when it is generated into the data folder; `masterKeys` alike. */
  readonly metricsToken: string | null
  readonly masterKeys: readonly string[] | null
  /** Whether `/metrics` has series of single query keys. */
  readonly hasKeyMetrics: boolean
  /** Null for an embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null
  /** The same database without a pooler; null where `databaseUrl` will do. */
  readonly databaseDirectUrl: string | null
  readonly databasePool: number
  /** Whether the server changes the tables of the database. */
  readonly canMigrate: boolean
  /** Backups that the server makes by itself; none when the folder is null. */
  readonly backups: { readonly folder: string | null; readonly everyHours: number; readonly kept: number }
  /** Null when limits are counted by this process alone. */
  readonly redisUrl: string | null
  /** Null without a collector. */
  readonly traces: {
    readonly endpoint: string
    readonly headers: Readonly<Record<string, string>>
    readonly serviceName: string
  } | null
  /** The beginning of all keys in Redis. */
  readonly storePrefix: string
  /** Whether calls with query keys are refused, or get a share of their limits, while Redis is away. */
  readonly limitsWhenStoreLost: 'closed' | 'share'
  /** Which agents may ask to be let in by OAuth. */
  readonly agents: {
    readonly canRegister: boolean
    /** Null admits the documents of all hosts. */
    readonly clientHosts: readonly string[] | null
    readonly appSchemes: readonly string[]
  }
}

/** The place of a worker among those of its machine. */
export interface WorkerPlace {
  /** From 1; no two that run at once have the same. */
  readonly number: number
  /** Where limits are counted when there is no `redisUrl`. */
  readonly storeUrl: string
  /** The data folder of the supervisor, whose control socket has what is about all workers. */
  readonly supervisorDataDir: string
}

export type ConfigReading =
  | { readonly kind: 'config'; readonly config: Config }
  | { readonly kind: 'problems'; readonly problems: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

const ownPrefix = 'GATEHOUSE_'
const isSecret = (name: VariableName): boolean => 'isSecret' in variables[name]

/** Parses the environment. All mistakes are returned at once, each with its variable and what is allowed. */
export function readConfig(environment: Environment, readFile: (path: string) => string): ConfigReading {
  const problems = [...unknownNames(environment), ...missedNames(environment)]
  const values: Partial<Record<VariableName, unknown>> = {}
  for (const name of variableNames) {
    const text = rawText(name, environment, readFile, problems) ?? variables[name].fallback
    if (text === null) {
      values[name] = null
      continue
    }
    const parsed = z.safeParse(variables[name].schema, text)
    if (parsed.success) values[name] = parsed.data
    else
      problems.push(
        `${name}: expected ${parsed.error.issues[0]?.message ?? 'another value'}${hintFor(name, text)}`,
      )
  }
  if (problems.length === 0)
    problems.push(...incompleteIn(values as Values), ...publicInternalUrlIn(values as Values))
  if (problems.length > 0) return { kind: 'problems', problems }
  return { kind: 'config', config: Object.freeze(toConfig(values as Values)) }
}

/** Kubernetes tells pods of a service named gatehouse by variables that begin as settings do. */
const hintFor = (name: VariableName, text: string): string =>
  name === 'GATEHOUSE_PORT' && text.startsWith('tcp://')
    ? '; Kubernetes sets this for a Service named gatehouse: give the pods enableServiceLinks: false'
    : ''

/** The internal address has a port of its own: whoever serves the public would refuse the requests of processes. */
function publicInternalUrlIn({ GATEHOUSE_INTERNAL_URL: internal, ...values }: Values): string[] {
  if (internal === null) return []
  const { origin, port } = new URL(internal)
  const isPublic =
    (values.GATEHOUSE_PUBLIC_URL !== null && new URL(values.GATEHOUSE_PUBLIC_URL).origin === origin) ||
    Number(port) === values.GATEHOUSE_PORT
  return isPublic ? ['GATEHOUSE_INTERNAL_URL: expected another port than that of the public address'] : []
}

function toConfig(values: Values): Config {
  return {
    host: required(values.GATEHOUSE_HOST),
    port: required(values.GATEHOUSE_PORT),
    dataDir: required(values.GATEHOUSE_DATA_DIR),
    workers: required(values.GATEHOUSE_WORKERS),
    worker: null,
    file: values.GATEHOUSE_FILE,
    allowPrivate: required(values.GATEHOUSE_ALLOW_PRIVATE),
    trustedProxies: required(values.GATEHOUSE_TRUSTED_PROXIES),
    operators: required(values.GATEHOUSE_OPERATORS),
    signUp: values.GATEHOUSE_SIGN_UP ?? defaultSignUp(values),
    signUpAllow: required(values.GATEHOUSE_SIGN_UP_ALLOW),
    keysPerAccount: {
      query: required(values.GATEHOUSE_QUERY_KEYS_PER_ACCOUNT),
      api: required(values.GATEHOUSE_API_KEYS_PER_ACCOUNT),
    },
    mutationRates: {
      perMinute: required(values.GATEHOUSE_MUTATIONS_PER_MINUTE),
      perDay: required(values.GATEHOUSE_MUTATIONS_PER_DAY),
    },
    publicUrl: values.GATEHOUSE_PUBLIC_URL,
    internalUrl: values.GATEHOUSE_INTERNAL_URL?.replace(/\/$/, '') ?? null,
    allowedHosts: required(values.GATEHOUSE_ALLOWED_HOSTS),
    chainRpcs: chainRpcsIn(values),
    github: githubIn(values),
    google: googleIn(values),
    oidc: oidcIn(values),
    canRevealKeys: required(values.GATEHOUSE_REVEAL_KEYS),
    logLevel: required(values.GATEHOUSE_LOG_LEVEL),
    drainDelayMs: required(values.GATEHOUSE_DRAIN_DELAY_MS),
    metricsToken: values.GATEHOUSE_METRICS_TOKEN,
    masterKeys: values.GATEHOUSE_MASTER_KEY,
    hasKeyMetrics: required(values.GATEHOUSE_METRICS_KEYS),
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databasePool: required(values.GATEHOUSE_DATABASE_POOL),
    canMigrate: required(values.GATEHOUSE_MIGRATE),
    backups: {
      folder: values.GATEHOUSE_BACKUP_DIR,
      everyHours: required(values.GATEHOUSE_BACKUP_EVERY_HOURS),
      kept: required(values.GATEHOUSE_BACKUPS_KEPT),
    },
    redisUrl: values.REDIS_URL,
    traces: tracesIn(values),
    storePrefix: required(values.GATEHOUSE_STORE_PREFIX),
    limitsWhenStoreLost: required(values.GATEHOUSE_LIMITS_WHEN_STORE_LOST),
    agents: {
      canRegister: required(values.GATEHOUSE_AGENT_REGISTRATION),
      clientHosts: values.GATEHOUSE_AGENT_CLIENTS,
      appSchemes: required(values.GATEHOUSE_AGENT_APPS),
    },
  }
}

function tracesIn(values: Values): Config['traces'] {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === null) return null
  const pairs = required(values.OTEL_EXPORTER_OTLP_HEADERS).map((pair) => pair.split(/=(.*)/s))
  const headers = Object.fromEntries(
    pairs.map(([name = '', value = '']) => [name.toLowerCase(), decodeURIComponent(value)]),
  )
  return { endpoint, headers, serviceName: required(values.OTEL_SERVICE_NAME) }
}

/** The text of a variable, or of the file that `NAME_FILE` points to; a trailing line break of a file is dropped. */
function rawText(
  name: VariableName,
  environment: Environment,
  readFile: (path: string) => string,
  problems: string[],
): string | null {
  const direct = environment[name] || null
  const path = isSecret(name) ? environment[`${name}_FILE`] || null : null
  if (path === null) return direct
  if (direct !== null) {
    problems.push(`${name}: set it or ${name}_FILE, not both`)
    return null
  }
  try {
    return readFile(path).replace(/\r?\n$/, '')
  } catch {
    problems.push(`${name}_FILE: expected a readable file`)
    return null
  }
}

function unknownNames(environment: Environment): string[] {
  const known = new Set<string>(
    variableNames.flatMap((name) => (isSecret(name) ? [name, `${name}_FILE`] : [name])),
  )
  // No setting, but people are told to set it for clients on the machine on which the server may run, too.
  known.add(apiKeyVariable)
  return Object.keys(environment)
    .filter((name) => name.startsWith(ownPrefix) && !known.has(name))
    .map((name) => `${name}: no such setting; ${meantBy(name)}`)
}

function meantBy(name: string): string {
  const meant = meantName(name, variableNames)
  return meant === undefined ? `there are ${variableNames.join(', ')}` : `did you mean ${meant}?`
}

/** Somebody who sets it expects counts to go there, and would miss them long after. */
const missedNames = ({ CLICKHOUSE_URL: url }: Environment): string[] =>
  url
    ? ['CLICKHOUSE_URL: expected nothing: usage and history go to PostgreSQL (DATABASE_URL) alone; remove it']
    : []

/** Returns every setting with its value as text; a secret only as set or not set. */
export function describeConfig(
  environment: Environment,
): { name: VariableName; value: string; about: string }[] {
  return variableNames.map((name) => {
    const given = environment[name] || (isSecret(name) && environment[`${name}_FILE`]) || null
    const shown = isSecret(name)
      ? given
        ? '(set)'
        : '(not set)'
      : (given ?? variables[name].fallback ?? '(not set)')
    return { name, value: shown, about: variables[name].about }
  })
}
