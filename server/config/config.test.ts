import { describe, expect, test } from 'bun:test'

import { apiKeyVariable } from '../../shared/agent-clients.ts'
import { type Config, describeConfig, readConfig } from './config.ts'

const noFiles = (path: string): string => {
  throw new Error(`no file ${path}`)
}

const problemsOf = (environment: Record<string, string>, readFile = noFiles): readonly string[] => {
  const reading = readConfig(environment, readFile)
  return reading.kind === 'problems' ? reading.problems : []
}

function configOf(environment: Record<string, string>): Config {
  const reading = readConfig(environment, noFiles)
  if (reading.kind === 'problems') throw new Error(reading.problems.join())
  return reading.config
}

test('an empty environment gives the documented defaults', () => {
  const reading = readConfig({ PATH: '/bin' }, noFiles)
  expect(reading).toEqual({
    kind: 'config',
    config: {
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      workers: 1,
      worker: null,
      file: null,
      allowPrivate: [],
      trustedProxies: [],
      operators: [],
      signUp: 'open',
      signUpAllow: [],
      keysPerAccount: { query: 100, api: 100 },
      mutationRates: { perMinute: 60, perDay: 1_000 },
      publicUrl: null,
      internalUrl: null,
      allowedHosts: [],
      chainRpcs: new Map(),
      github: null,
      google: null,
      oidc: null,
      canRevealKeys: true,
      logLevel: 'info',
      drainDelayMs: 0,
      metricsToken: null,
      masterKeys: null,
      hasKeyMetrics: false,
      databaseUrl: null,
      databaseDirectUrl: null,
      databasePool: 10,
      canMigrate: true,
      backups: { folder: null, everyHours: 24, kept: 7 },
      redisUrl: null,
      traces: null,
      storePrefix: 'gatehouse',
      limitsWhenStoreLost: 'closed',
      agents: { canRegister: true, clientHosts: null, appSchemes: ['cursor', 'vscode', 'vscode-insiders'] },
    },
  })
})

test('keys are shown again unless that is switched off, by a word that cannot be misread', () => {
  const reading = readConfig({ GATEHOUSE_REVEAL_KEYS: 'off' }, noFiles)
  expect(reading).toMatchObject({ kind: 'config', config: { canRevealKeys: false } })
  for (const word of ['false', '0', 'OFF', 'no']) {
    expect(problemsOf({ GATEHOUSE_REVEAL_KEYS: word })).toEqual(['GATEHOUSE_REVEAL_KEYS: expected on or off'])
  }
})

test('without the shared store limits are closed, or shared out when somebody asks for that', () => {
  const reading = readConfig({ GATEHOUSE_LIMITS_WHEN_STORE_LOST: 'share' }, noFiles)
  expect(reading).toMatchObject({ kind: 'config', config: { limitsWhenStoreLost: 'share' } })
  expect(problemsOf({ GATEHOUSE_LIMITS_WHEN_STORE_LOST: 'open' })).toEqual([
    'GATEHOUSE_LIMITS_WHEN_STORE_LOST: expected closed or share',
  ])
})

test('the address for other processes is that of no public listener', () => {
  const reading = readConfig({ GATEHOUSE_INTERNAL_URL: 'http://10.0.0.5:3001/' }, noFiles)
  expect(reading).toMatchObject({ kind: 'config', config: { internalUrl: 'http://10.0.0.5:3001' } })
  for (const given of [
    'nonsense',
    '10.0.0.5:3001',
    'https://10.0.0.5:3001',
    'http://10.0.0.5',
    'http://a:3001/b',
  ])
    expect(problemsOf({ GATEHOUSE_INTERNAL_URL: given })).toEqual([
      'GATEHOUSE_INTERNAL_URL: expected http, host and port only, such as http://10.0.0.5:3001',
    ])
  const taken = ['GATEHOUSE_INTERNAL_URL: expected another port than that of the public address']
  expect(problemsOf({ GATEHOUSE_INTERNAL_URL: 'http://10.0.0.5:3000' })).toEqual(taken)
  const url = 'http://gatehouse.example:8000'
  expect(problemsOf({ GATEHOUSE_INTERNAL_URL: url, GATEHOUSE_PUBLIC_URL: url })).toEqual(taken)
})

describe.each(['GATEHOUSE_ALLOW_PRIVATE', 'GATEHOUSE_TRUSTED_PROXIES'])('networks in %s', (variable) => {
  test('are whole addresses or CIDR blocks', () => {
    const { allowPrivate, trustedProxies } = configOf({ [variable]: '127.0.0.1, ::1,10.0.0.0/8' })
    expect([...allowPrivate, ...trustedProxies]).toEqual(['127.0.0.1', '::1', '10.0.0.0/8'])
  })

  test.each(['127', '10.8/16', '010.0.0.0/8', 'localhost'])('are not %s', (network) => {
    const problem = 'expected addresses or CIDR blocks separated by commas, such as 10.0.0.0/8,::1'
    expect(problemsOf({ [variable]: `10.0.0.0/8,${network}` })).toEqual([`${variable}: ${problem}`])
  })
})

test('every mistake is reported at once, with its variable and what is allowed', () => {
  const problems = problemsOf({
    GATEHOUSE_PORT: '70000',
    GATEHOUSE_ALLOW_PRIVATE: '10.0.0.0/8,nonsense',
    GATEHOUSE_LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://host/db',
    GATEHOUSE_MASTER_KEY: 'c2hvcnQ=',
    GATEHOUSE_PROT: '3000',
    CLICKHOUSE_URL: 'http://user:hunter2@clickhouse:8123',
  })
  expect(problems.join()).not.toContain('hunter2')
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    'GATEHOUSE_PROT',
    'CLICKHOUSE_URL',
    'GATEHOUSE_PORT',
    'GATEHOUSE_ALLOW_PRIVATE',
    'GATEHOUSE_LOG_LEVEL',
    'GATEHOUSE_MASTER_KEY',
    'DATABASE_URL',
  ])
  expect(problems[1]).toBe(
    'CLICKHOUSE_URL: expected nothing: usage and history go to PostgreSQL (DATABASE_URL) alone; remove it',
  )
  expect(problems[2]).toBe('GATEHOUSE_PORT: expected a whole number from 0 to 65535')
  expect(problems[0]).toContain('GATEHOUSE_PORT')
})

test('the server listens at an IP address, in brackets or not, or at a host name', () => {
  for (const host of ['127.0.0.1', '::1', '::', 'localhost', 'gate-1.example.org', 'node_a'])
    expect(configOf({ GATEHOUSE_HOST: host }).host).toBe(host)
  expect(configOf({ GATEHOUSE_HOST: '[::1]' })).toMatchObject({ host: '::1', signUp: 'open' })
  for (const host of [
    'localhost:3000',
    '[::1]:3000',
    'http://x',
    'foo bar',
    '999.1.1.1',
    'fe80::1%eth0',
    'x/y',
    '[]',
    'ada@x',
  ])
    expect(problemsOf({ GATEHOUSE_HOST: host })).toEqual([
      'GATEHOUSE_HOST: expected an IP address or a host name alone, such as 0.0.0.0, :: or gatehouse.internal',
    ])
})

test('the variable from which clients take their API key may be set beside the server', () => {
  expect(problemsOf({ [apiKeyVariable]: 'gak_x' })).toEqual([])
  expect(JSON.stringify(describeConfig({ [apiKeyVariable]: 'gak_x' }))).not.toContain('gak_x')
})

test('a port that Kubernetes has set says how to keep it away', () => {
  expect(problemsOf({ GATEHOUSE_PORT: 'tcp://10.96.0.7:80' })).toEqual([
    'GATEHOUSE_PORT: expected a whole number from 0 to 65535; Kubernetes sets this for a Service named gatehouse: give the pods enableServiceLinks: false',
  ])
})

test('a mistake never shows the value of a secret', () => {
  expect(problemsOf({ DATABASE_URL: 'mysql://user:hunter2@host/db' }).join()).not.toContain('hunter2')
})

test('a secret may stand in a file; an unreadable file and a double setting are mistakes', () => {
  const reading = readConfig({ GATEHOUSE_METRICS_TOKEN_FILE: '/run/token' }, () => 'from-file\n')
  expect(reading.kind === 'config' && reading.config.metricsToken).toBe('from-file')
  expect(problemsOf({ GATEHOUSE_METRICS_TOKEN_FILE: '/run/none' })).toEqual([
    'GATEHOUSE_METRICS_TOKEN_FILE: expected a readable file',
  ])
  expect(
    problemsOf({ DATABASE_URL: 'postgres://a/b', DATABASE_URL_FILE: '/run/url' }, () => '')[0],
  ).toContain('not both')
  expect(problemsOf({ GATEHOUSE_HOST_FILE: '/run/host' })[0]).toStartWith(
    'GATEHOUSE_HOST_FILE: no such setting',
  )
})

test('of a mistyped setting it is said which one is meant, and of another all that there are', () => {
  expect(problemsOf({ GATEHOUSE_PROT: '3000', GATEHOUSE_OPERATOR: '0x1' })).toEqual([
    'GATEHOUSE_PROT: no such setting; did you mean GATEHOUSE_PORT?',
    'GATEHOUSE_OPERATOR: no such setting; did you mean GATEHOUSE_OPERATORS?',
  ])
  expect(problemsOf({ GATEHOUSE_COLOUR: 'red' })[0]).toStartWith(
    'GATEHOUSE_COLOUR: no such setting; there are GATEHOUSE_HOST, GATEHOUSE_PORT',
  )
})

test('the description redacts secrets and explains everything', () => {
  const lines = describeConfig({ DATABASE_URL: 'postgres://user:hunter2@host/db', GATEHOUSE_PORT: '4000' })
  expect(JSON.stringify(lines)).not.toContain('hunter2')
  expect(lines.find((line) => line.name === 'DATABASE_URL')?.value).toBe('(set)')
  expect(lines.find((line) => line.name === 'GATEHOUSE_PORT')?.value).toBe('4000')
  expect(lines.every((line) => line.about.length > 0)).toBe(true)
})

test('who may sign in, and how', () => {
  const owner = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'
  const reading = readConfig(
    {
      GATEHOUSE_PUBLIC_URL: 'https://gate.example.org',
      GATEHOUSE_OPERATORS: `${owner}, github:583231,eip155:8453:${owner}`,
      GATEHOUSE_CHAIN_RPC: '1=https://one.example.org/v3/key,8453=http://127.0.0.1:8545',
      GATEHOUSE_GITHUB_CLIENT_ID: 'Iv1.abc',
      GATEHOUSE_GITHUB_CLIENT_SECRET_FILE: '/run/github',
      GATEHOUSE_GITHUB_USER_URL: 'https://github.corp.example/api/v3/user',
    },
    () => 'from-file\n',
  )
  if (reading.kind === 'problems') throw new Error(reading.problems.join())
  expect(reading.config).toMatchObject({
    publicUrl: 'https://gate.example.org',
    operators: [owner, 'github:583231', `eip155:8453:${owner}`],
    chainRpcs: new Map([
      [1, 'https://one.example.org/v3/key'],
      [8453, 'http://127.0.0.1:8545'],
    ]),
    github: {
      clientId: 'Iv1.abc',
      clientSecret: 'from-file',
      authorizeUrl: 'https://github.com/login/oauth/authorize',
      tokenUrl: 'https://github.com/login/oauth/access_token',
      userUrl: 'https://github.corp.example/api/v3/user',
    },
    google: null,
  })
})

test('a provider of OpenID Connect is known by its name, or by the host of its issuer', () => {
  const oidc = {
    GATEHOUSE_OIDC_ISSUER: 'https://id.example.org/realms/main',
    GATEHOUSE_OIDC_CLIENT_ID: 'abc',
    GATEHOUSE_OIDC_CLIENT_SECRET: 'def',
    GATEHOUSE_OPERATORS: 'oidc:https://id.example.org/realms/main#248289761001',
    GATEHOUSE_SIGN_UP_ALLOW: 'oidc-domain:example.org, oidc-group:Node operators',
  }
  expect(configOf(oidc)).toMatchObject({
    oidc: {
      issuer: 'https://id.example.org/realms/main',
      clientId: 'abc',
      clientSecret: 'def',
      name: 'id.example.org',
      groupsClaim: 'groups',
    },
    operators: ['oidc:https://id.example.org/realms/main#248289761001'],
    signUpAllow: ['oidc-domain:example.org', 'oidc-group:Node operators'],
  })
  expect(configOf({ ...oidc, GATEHOUSE_OIDC_NAME: ' Kestrel ID ' }).oidc?.name).toBe('Kestrel ID')
})

test('half a provider, a path in the public address, and entries that are nobody are mistakes', () => {
  expect(problemsOf({ GATEHOUSE_GOOGLE_CLIENT_ID: 'abc' })).toEqual([
    'GATEHOUSE_GOOGLE_CLIENT_SECRET: needed beside GATEHOUSE_GOOGLE_CLIENT_ID',
  ])
  expect(problemsOf({ GATEHOUSE_GITHUB_CLIENT_SECRET: 'abc' })).toEqual([
    'GATEHOUSE_GITHUB_CLIENT_ID: needed beside GATEHOUSE_GITHUB_CLIENT_SECRET',
  ])
  const oidc = {
    GATEHOUSE_OIDC_ISSUER: 'https://id.example.org/realms/main',
    GATEHOUSE_OIDC_CLIENT_ID: 'abc',
    GATEHOUSE_OIDC_CLIENT_SECRET: 'def',
  }
  const { GATEHOUSE_OIDC_ISSUER: _issuer, ...withoutIssuer } = oidc
  expect(problemsOf(withoutIssuer)).toEqual(['GATEHOUSE_OIDC_ISSUER: needed beside GATEHOUSE_OIDC_CLIENT_ID'])
  expect(problemsOf({ GATEHOUSE_OIDC_NAME: 'Kestrel' })).toHaveLength(3)
  for (const issuer of [
    'id.example.org',
    'http://id.example.org',
    'http://127.0.0.1.example.org',
    'https://ada@id.example.org',
    'https://id.example.org?x=y',
    'https://id.example.org/#x',
    'https://id.example.org\u202e',
  ]) {
    expect(problemsOf({ ...oidc, GATEHOUSE_OIDC_ISSUER: issuer })[0]).toStartWith(
      'GATEHOUSE_OIDC_ISSUER: expected an https address',
    )
  }
  for (const name of [' ', 'Kestrel\u202eID', 'Kes\u200btrel', 'x'.repeat(41)]) {
    expect(problemsOf({ ...oidc, GATEHOUSE_OIDC_NAME: name })[0]).toStartWith(
      'GATEHOUSE_OIDC_NAME: expected a name of at most 40 characters',
    )
  }
  for (const url of ['https://gate.example.org/path', 'gate.example.org', 'ftp://gate.example.org']) {
    expect(problemsOf({ GATEHOUSE_PUBLIC_URL: url })[0]).toStartWith('GATEHOUSE_PUBLIC_URL: expected scheme')
  }
  for (const entry of ['octocat', 'github:octocat', '0x12', 'ada@example.org']) {
    expect(problemsOf({ GATEHOUSE_OPERATORS: entry })[0]).toStartWith('GATEHOUSE_OPERATORS: expected wallet')
  }
  for (const entry of ['https://one.example.org', '0=https://one.example.org', '1=ftp://x']) {
    expect(problemsOf({ GATEHOUSE_CHAIN_RPC: entry })[0]).toStartWith('GATEHOUSE_CHAIN_RPC: expected entries')
  }
})
