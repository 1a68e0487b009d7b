import * as z from 'zod/mini'

import { required } from './required.ts'
import { chainRpcsIn, githubIn, googleIn, unpairedIn } from './sign-in.ts'
import type { GithubSettings, GoogleSettings } from './sign-in.ts'
import { variableNames, variables } from './variables.ts'
import type { Values, VariableName } from './variables.ts'

/** Everything the environment decides, read once at the start and frozen. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** Null: `./gatehouse.yaml` when that is there. */
  readonly file: string | null
  readonly allowPrivate: readonly string[]
  readonly trustedProxies: readonly string[]
  readonly operators: readonly string[]
  /** Null: follows from host and port. */
  readonly publicUrl: string | null
  /** Nodes for the signatures of contract wallets, by chain id. */
  readonly chainRpcs: ReadonlyMap<number, string>
  /** Null: nobody can sign in by it. */
  readonly github: GithubSettings | null
  readonly google: GoogleSettings | null
  /** Whether the value of an API key can be shown again. */
  readonly canRevealKeys: boolean
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
  readonly drainDelayMs: number
  /** Null: generated into the data folder. */
  readonly metricsToken: string | null
  readonly masterKeys: readonly string[] | null
  /** Null: an embedded server in the data folder. */
  readonly databaseUrl: string | null
  /** Null: this process counts alone. */
  readonly redisUrl: string | null
  /** What happens to calls with query keys while that store is away. */
  readonly limitsWhenStoreLost: 'closed' | 'share'
}

export type ConfigReading =
  | { readonly kind: 'config'; readonly config: Config }
  | { readonly kind: 'problems'; readonly problems: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

const ownPrefix = 'GATEHOUSE_'
const isSecret = (name: VariableName): boolean => 'isSecret' in variables[name]

/** Reads the environment. Every mistake is reported at once, each with its variable and what is allowed. */
export function readConfig(environment: Environment, readFile: (path: string) => string): ConfigReading {
  const problems = unknownNames(environment)
  const values: Partial<Record<VariableName, unknown>> = {}
  for (const name of variableNames) {
    const text = rawText(name, environment, readFile, problems) ?? variables[name].fallback
    if (text === null) {
      values[name] = null
      continue
    }
    const parsed = z.safeParse(variables[name].schema, text)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name}: expected ${parsed.error.issues[0]?.message ?? 'another value'}`)
  }
  if (problems.length === 0) problems.push(...unpairedIn(values as Values))
  if (problems.length > 0) return { kind: 'problems', problems }
  return { kind: 'config', config: Object.freeze(toConfig(values as Values)) }
}

function toConfig(values: Values): Config {
  return {
    host: required(values.GATEHOUSE_HOST),
    port: required(values.GATEHOUSE_PORT),
    dataDir: required(values.GATEHOUSE_DATA_DIR),
    file: values.GATEHOUSE_FILE,
    allowPrivate: required(values.GATEHOUSE_ALLOW_PRIVATE),
    trustedProxies: required(values.GATEHOUSE_TRUSTED_PROXIES),
    operators: required(values.GATEHOUSE_OPERATORS),
    publicUrl: values.GATEHOUSE_PUBLIC_URL,
    chainRpcs: chainRpcsIn(values),
    github: githubIn(values),
    google: googleIn(values),
    canRevealKeys: required(values.GATEHOUSE_REVEAL_KEYS),
    logLevel: required(values.GATEHOUSE_LOG_LEVEL),
    drainDelayMs: required(values.GATEHOUSE_DRAIN_DELAY_MS),
    metricsToken: values.GATEHOUSE_METRICS_TOKEN,
    masterKeys: values.GATEHOUSE_MASTER_KEY,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    limitsWhenStoreLost: required(values.GATEHOUSE_LIMITS_WHEN_STORE_LOST),
  }
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
  return Object.keys(environment)
    .filter((name) => name.startsWith(ownPrefix) && !known.has(name))
    .map((name) => `${name}: no such setting; there are ${variableNames.join(', ')}`)
}

/** The settings as lines `NAME=value` with a note where a value comes from; secrets only as set or not set. */
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
