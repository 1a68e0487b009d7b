import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { parse } from 'yaml'

import { type AnvilChain, startAnvilChain } from '../../scripts/world/anvil-chain.ts'
import { startChild } from '../../scripts/world/child-process.ts'
import { findFreePort } from '../../scripts/world/free-port.ts'
import { type TestInstallation, createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { healthClient } from '../support/health-client.ts'
import { needs } from '../support/needs.ts'

const rulesPath = resolve('deploy/prometheus/alerts.yaml')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}
const { groups }: { groups: { rules: Rule[] }[] } = parse(await readFile(rulesPath, 'utf8'))
const rules = groups.flatMap((group) => group.rules)

interface Panel {
  readonly targets?: readonly { readonly expr: string }[]
}
const { panels }: { panels: Panel[] } = JSON.parse(await readFile('deploy/grafana/gatehouse.json', 'utf8'))
const dashboard = panels
  .flatMap(({ targets = [] }) => targets)
  .map(({ expr }) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$service', '.*'))

/** The labels of an alert, and the values of each series while all is well and while it is not. */
interface Case {
  readonly labels: Readonly<Record<string, string>>
  readonly value?: string
  readonly series: Readonly<Record<string, { readonly well: string; readonly ill: string }>>
}

const node = { service: 'node-a', chain: 'ethereum', provider: 'Acme' }
const one = { instance: 'one:3000', job: 'gatehouse' }
const reader = { instance: 'one:3000', job: 'gatehouse-services' }
const upstream = { endpoint: 'mainnet', upstream: 'upstream-1' }
const text = (labels: Readonly<Record<string, string>>): string =>
  `{${Object.entries(labels).map(([name, value]) => `${name}="${value}"`)}}`
const ofNode = (metric: string): string => `gatehouse_service_${metric}${text({ ...node, ...one })}`
const ofProcess = (metric: string, more = {}): string => `${metric}${text({ ...one, ...more })}`
const ofUpstream = (metric: string): string => `gatehouse_upstream_${metric}${text({ ...upstream, ...one })}`
const attempts = (each: string): string =>
  `gatehouse_upstream_attempts_total${text({ ...upstream, class: each, ...one })}`
const changes = (well: number | string, ill: number | string) => ({ well: String(well), ill: String(ill) })
const requests = (status: string) =>
  ofProcess('gatehouse_http_request_duration_seconds_count', { route: '/rpc', status_class: status })

const cases: Readonly<Record<string, Case>> = {
  GatehouseServiceDown: { labels: node, series: { [ofNode('decision')]: changes(1, 2) } },
  GatehouseServiceLate: { labels: node, series: { [ofNode('decision')]: changes(1, 3) } },
  GatehouseServiceUnknown: { labels: node, series: { [ofNode('decision')]: changes(1, 0) } },
  GatehouseCertificateEnds: {
    labels: node,
    series: { [ofNode('certificate_expiry_timestamp_seconds')]: changes(9_000_000, 1_000_000) },
  },
  GatehouseServiceFlaps: {
    labels: node,
    series: { [ofNode('last_change_timestamp_seconds')]: changes(0, 'rising') },
  },
  GatehouseServiceVerifiersFew: { labels: node, series: { [ofNode('live_verifiers')]: changes(3, 1) } },
  GatehouseServicesUnread: { labels: reader, series: { [`up${text(reader)}`]: changes(1, 0) } },
  GatehouseAway: { labels: one, series: { [ofProcess('up')]: changes(1, 0) } },
  GatehouseDatabaseAway: { labels: one, series: { [ofProcess('gatehouse_database_away')]: changes(0, 1) } },
  GatehouseLimitsClosed: {
    labels: one,
    series: { [ofProcess('gatehouse_limiter_degraded')]: changes(0, 1) },
  },
  GatehouseNodesUnreachable: {
    labels: one,
    value: '2',
    series: { [ofProcess('gatehouse_internal_nodes_unreachable')]: changes(0, 2) },
  },
  GatehouseUsageNotWritten: {
    labels: one,
    series: {
      [ofProcess('gatehouse_usage_flush_failures_total')]: changes('0', 'rising'),
      [ofProcess('gatehouse_usage_unflushed')]: changes(0, 40),
    },
  },
  GatehouseHistoryLost: {
    labels: { ...one, kind: 'rollup' },
    series: { [ofProcess('gatehouse_health_history_lost_total', { kind: 'rollup' })]: changes(0, 7) },
  },
  GatehouseBackupFailed: { labels: one, series: { [ofProcess('gatehouse_backup_failed')]: changes(0, 1) } },
  GatehouseErrors: {
    labels: { instance: one.instance },
    series: { [requests('2xx')]: changes('rising', 'rising'), [requests('5xx')]: changes(0, 'rising') },
  },
  GatehouseHeldUp: {
    labels: one,
    series: { [ofProcess('nodejs_eventloop_lag_max_seconds')]: changes(0.02, 1.5) },
  },
  GatehouseDescriptorsScarce: {
    labels: one,
    series: {
      [ofProcess('process_open_fds')]: changes(100, 900),
      [ofProcess('process_max_fds')]: changes(1024, 1024),
    },
  },
  GatehouseUpstreamLeftAlone: {
    labels: upstream,
    series: { [ofUpstream('breaker_state')]: changes(0, 'tried') },
  },
  GatehouseUpstreamFails: {
    labels: upstream,
    series: {
      [attempts('answer')]: changes('rising', 'rising'),
      [attempts('timeout')]: changes(0, 'rising'),
    },
  },
  GatehouseUpstreamBudgetScarce: {
    labels: upstream,
    series: { [ofUpstream('budget_used')]: changes(10, 95), [ofUpstream('budget_limit')]: changes(100, 100) },
  },
}

/** Values of a minute each. One that is `tried` is open (2), and now and then half-open (1). */
function stretch(value: string, minutes: number): string {
  if (value === 'rising') return `0+5x${minutes}`
  return value === 'tried' ? '2 2 1 '.repeat((minutes + 1) / 3).trim() : `${value}+0x${minutes}`
}

/** Ten minutes in which all is well, half an hour in which it is not, and two hours in which it is again. */
function valuesOf({ well, ill }: { readonly well: string; readonly ill: string }): string {
  return `${stretch(well, 9)} ${stretch(ill, 29)} ${stretch(well, 119)}`
}

const filledIn = (template: string, { labels, value = '' }: Case): string =>
  template
    .trim()
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '')
    .replaceAll('{{ $value }}', value)

function ruleTest({ alert, labels, annotations }: Rule, given: Case) {
  const firing = {
    exp_labels: { ...labels, ...given.labels },
    exp_annotations: Object.fromEntries(
      Object.entries(annotations).map(([name, template]) => [name, filledIn(template, given)]),
    ),
  }
  const at = (time: string, expected: readonly object[]) => ({
    eval_time: time,
    alertname: alert,
    exp_alerts: expected,
  })
  return {
    name: alert,
    interval: '1m',
    input_series: Object.entries(given.series).map(([series, values]) => ({
      series,
      values: valuesOf(values),
    })),
    alert_rule_test: [at('9m', []), at('35m', [firing]), at('2h30m', [])],
  }
}

let folder: string

const tool = (...args: readonly string[]): string => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['promtool', ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return exitCode === 0 ? 'SUCCESS' : `${stdout}${stderr}`
}

describe.skipIf(!needs('prometheus'))('the rules for Prometheus', () => {
  let chain: AnvilChain
  let installation: TestInstallation
  let token: string
  const policy = { intervalMs: 500, timeoutMs: 200, freshMs: 5_000, downForMs: 1_000, upForMs: 1_000 }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-prometheus-'))
    chain = await startAnvilChain(1)
    installation = await createTestInstallation({
      chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
      services: [
        {
          id: 'node-a',
          name: 'A',
          chain: 'testnet',
          provider: 'Acme',
          endpoint: chain.nodes[0]?.url ?? '',
          policy,
        },
      ],
    })
    await installation.start({ GATEHOUSE_BACKUP_DIR: join(folder, 'backups'), GATEHOUSE_METRICS_KEYS: 'on' })
    await healthClient(installation.url).until({ 'node-a': 'UP' })
    token = (await readFile(join(installation.dataDir, 'private', 'metrics-token'), 'utf8')).trim()
  })
  afterAll(async () => {
    await installation?.remove()
    await chain?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const metricsAt = async (path: string): Promise<string> =>
    (await fetch(`${installation.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).text()

  test('and the configuration beside them are such as Prometheus reads', () => {
    expect(tool('check', 'rules', rulesPath)).toBe('SUCCESS')
    expect(tool('check', 'config', '--syntax-only', 'deploy/prometheus/prometheus.yaml')).toBe('SUCCESS')
  })

  test('and the dashboard name metrics that a server shows, and these are named as Prometheus wants them', async () => {
    const shown = `${await metricsAt('/metrics')}\n${await metricsAt('/metrics/services')}\n`
    const expressions = [...rules.map(({ expr }) => expr), ...dashboard]
    const names = expressions.flatMap((expr) => expr.match(/\b(?:gatehouse|process|nodejs)_\w+/g) ?? [])
    expect(names.length).toBeGreaterThanOrEqual(expressions.length)
    const missing = names.filter(
      (name) => !shown.includes(`# HELP ${name.replace(/_(?:count|bucket)$/, '')} `),
    )
    expect(missing).toEqual([])
    expect(shown).toContain('gatehouse_build_info{version="')
    const lint = Bun.spawnSync(['promtool', 'check', 'metrics'], {
      stdin: Buffer.from(shown),
      stderr: 'pipe',
    })
    expect(lint.stderr.toString()).toBe('')
  })

  test('each fire when something is wrong, and at no other time', async () => {
    expect(Object.keys(cases).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted())
    const path = join(folder, 'tests.yaml')
    const tests = rules.flatMap((rule) => {
      const given = cases[rule.alert]
      return given === undefined ? [] : [ruleTest(rule, given)]
    })
    await writeFile(path, JSON.stringify({ rule_files: [rulesPath], evaluation_interval: '1m', tests }))
    expect(tool('test', 'rules', path)).toBe('SUCCESS')
  })

  test('tell of a node that dies, and no longer when it is back', async () => {
    const port = await findFreePort()
    const { host } = new URL(installation.url)
    const common = { authorization: { credentials: token }, static_configs: [{ targets: [host] }] }
    const config = {
      global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
      rule_files: [rulesPath],
      scrape_configs: [
        { job_name: 'gatehouse', ...common },
        { job_name: 'gatehouse-services', metrics_path: '/metrics/services', ...common },
      ],
    }
    await writeFile(join(folder, 'prometheus.json'), JSON.stringify(config))
    const prometheus = startChild([
      'prometheus',
      `--config.file=${join(folder, 'prometheus.json')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ])
    const ask = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => null)
      return response?.ok === true ? (await response.json()).data : null
    }
    const firing = async (): Promise<string[] | null> =>
      (await ask('alerts'))?.alerts.map(({ labels }: { labels: Record<string, string> }) =>
        [labels['alertname'], labels['service'] ?? ''].join(' '),
      ) ?? null
    try {
      await waitUntil('both pages are read', async () => {
        const up = await ask('query?query=up')
        return up?.result.filter(({ value }: { value: string[] }) => value[1] === '1').length === 2
      })
      expect(await firing()).toEqual([])
      for (const expr of dashboard)
        expect([expr, await ask(`query?query=${encodeURIComponent(expr)}`)]).toEqual([
          expr,
          expect.anything(),
        ])
      await chain.nodes[0]?.pause()
      await waitUntil(
        'the alert',
        async () => (await firing())?.includes('GatehouseServiceDown node-a') === true,
      )
      await chain.nodes[0]?.resume()
      await waitUntil('it is over', async () => (await firing())?.length === 0)
    } finally {
      await prometheus.stop()
    }
  })
})
