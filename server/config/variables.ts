import * as z from 'zod/mini'

import { providerVariables } from './provider-variables.ts'
import {
  type Variable,
  allowEntries,
  masterKeys,
  appSchemes,
  databaseAddress,
  networks,
  hostNames,
  listenHost,
  onOrOff,
  workerCount,
  operatorEntries,
  originOnly,
  someText,
  storeAddress,
  storePrefix,
  internalOrigin,
  wholeNumber,
} from './variable-schemas.ts'
import { traceVariables } from './trace-variables.ts'

/** All environment variables that Gatehouse reads, with their purpose. An empty text counts as not set. */
export const variables = {
  GATEHOUSE_HOST: {
    schema: listenHost,
    fallback: '127.0.0.1',
    about: 'address to listen on',
  },
  GATEHOUSE_PORT: {
    schema: wholeNumber(0, 65_535),
    fallback: '3000',
    about: 'port to listen on; 0 takes a free one',
  },
  GATEHOUSE_WORKERS: {
    schema: workerCount,
    fallback: '1',
    about: 'how many processes serve on this machine, or auto: one for each core',
  },
  GATEHOUSE_DATA_DIR: {
    schema: someText('a folder'),
    fallback: './data',
    about: 'where data and generated secrets live',
  },
  GATEHOUSE_FILE: {
    schema: someText('a path'),
    fallback: null,
    about: 'the declarative file; ./gatehouse.yaml when that is there',
  },
  GATEHOUSE_ALLOW_PRIVATE: {
    schema: networks,
    fallback: '',
    about: 'private addresses that services and other outbound calls may reach, as addresses or CIDR blocks',
  },
  GATEHOUSE_TRUSTED_PROXIES: {
    schema: networks,
    fallback: '',
    about: 'reverse proxies whose X-Forwarded-For is believed, as addresses or CIDR blocks',
  },
  GATEHOUSE_OPERATORS: {
    schema: operatorEntries,
    fallback: '',
    about:
      'who is an operator from the first sign-in on: wallet addresses, github:<user id>, google:<user id>, oidc:<issuer>#<subject>',
  },
  GATEHOUSE_SIGN_UP: {
    schema: z.enum(['open', 'approval', 'invitation', 'closed'], 'open, approval, invitation or closed'),
    fallback: null,
    about:
      'who gets an account by signing in: open lets everybody in, approval asks an operator for each, invitation takes those with an invitation, closed admits nobody new; when not set, open on a loopback address and approval elsewhere',
  },
  GATEHOUSE_SIGN_UP_ALLOW: {
    schema: allowEntries,
    fallback: '',
    about:
      'who needs neither approval nor an invitation: wallet addresses, github:<user id>, google:<user id>, oidc:<issuer>#<subject>, github-org:<name>, google-domain:<domain>, oidc-domain:<domain of a verified e-mail address>, oidc-group:<name>',
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
    schema: originOnly,
    fallback: null,
    about: 'where browsers reach this installation; http://<host>:<port> when not set',
  },
  GATEHOUSE_INTERNAL_URL: {
    schema: internalOrigin,
    fallback: null,
    about:
      'where the other processes of this installation reach this one, such as http://10.0.0.5:3001; a free port of this machine when not set',
  },
  GATEHOUSE_ALLOWED_HOSTS: {
    schema: hostNames,
    fallback: '',
    about: 'further host names under which programs reach this installation, such as the name of a service',
  },
  ...providerVariables,
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
    schema: appSchemes,
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
    schema: someText('a text'),
    fallback: null,
    isSecret: true,
    about: 'bearer token of /metrics and /metrics/services; generated into the data folder when not set',
  },
  GATEHOUSE_METRICS_KEYS: {
    schema: onOrOff,
    fallback: 'off',
    about: 'on shows in /metrics how often single query keys are called, of the 1000 busiest',
  },
  GATEHOUSE_MASTER_KEY: {
    schema: masterKeys,
    fallback: null,
    isSecret: true,
    about:
      'key that seals stored secrets, 32 bytes in base64; of several, separated by commas, the first seals and all open; generated into the data folder when not set',
  },
  DATABASE_URL: {
    schema: databaseAddress,
    fallback: null,
    isSecret: true,
    about: 'PostgreSQL to use; without it an embedded one is started in the data folder',
  },
  DATABASE_DIRECT_URL: {
    schema: databaseAddress,
    fallback: null,
    isSecret: true,
    about: 'the same database without the pooler of DATABASE_URL: to hear of changes, and to migrate',
  },
  GATEHOUSE_DATABASE_POOL: {
    schema: wholeNumber(2, 500),
    fallback: '10',
    about: 'most connections to the database for statements; one or two more are for notifications',
  },
  GATEHOUSE_MIGRATE: {
    schema: onOrOff,
    fallback: 'on',
    about:
      'on or off: whether the server brings the tables of the database up to date; off leaves it to gatehouse migrate',
  },
  GATEHOUSE_BACKUP_DIR: {
    schema: someText('a folder'),
    fallback: null,
    about: 'folder into which the server writes backups by itself, best on another disk; none without it',
  },
  GATEHOUSE_BACKUP_EVERY_HOURS: {
    schema: wholeNumber(1, 720),
    fallback: '24',
    about: 'how many hours one of those backups stands for',
  },
  GATEHOUSE_BACKUPS_KEPT: {
    schema: wholeNumber(1, 1_000),
    fallback: '7',
    about: 'how many of them are kept; the oldest are deleted',
  },
  REDIS_URL: {
    schema: storeAddress,
    fallback: null,
    isSecret: true,
    about:
      'Redis or Valkey when several processes serve one installation: redis://, rediss:// (?ca=FILE), redis+sentinel://one,two?primary=name, redis+cluster://one,two',
  },
  GATEHOUSE_STORE_PREFIX: {
    schema: storePrefix,
    fallback: 'gatehouse',
    about: 'the beginning of all keys in Redis, for the rules of an ACL user',
  },
  ...traceVariables,
} as const satisfies Record<string, Variable>

export type VariableName = keyof typeof variables
export const variableNames = Object.keys(variables) as VariableName[]
export type Values = { readonly [name in VariableName]: z.infer<(typeof variables)[name]['schema']> | null }

/** Returns the value of a variable that has a fallback, and therefore always a value. */
export function required<T>(value: T | null): T {
  if (value === null) throw new TypeError('a variable with a fallback has no value')
  return value
}
