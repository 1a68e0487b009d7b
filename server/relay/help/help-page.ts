import { createHash } from 'node:crypto'

import type { Limit } from '../../../shared/limits.ts'
import type { MethodGroups } from '../../../shared/method-groups.ts'
import { escapeHtml } from '../../platform/escape-html.ts'
import type { CodeExample } from './examples.ts'

/** What somebody who has a key is told about its use. The key itself is not in it. */
export interface Help {
  readonly use: string
  readonly endpoint: string
  readonly family: string
  readonly chain: string | null
  /** With `{key}` in the place of the key. */
  readonly address: string
  /** Null: it has none. */
  readonly webSocketAddress: string | null
  readonly key: string
  readonly examples: readonly CodeExample[]
  /** What the endpoint relays; null where it lists paths. */
  readonly methods: MethodGroups | null
  /** The patterns of paths that it relays. */
  readonly paths: readonly string[]
  /** What the key may call of it; blank: everything. */
  readonly onlyMethods: readonly string[]
  readonly onlyContracts: readonly string[]
  readonly limits: { readonly rate: Limit | null; readonly credits: Limit | null }
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.6rem; margin: 0 0 .25rem }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
h3 { font-size: 1rem; margin: 1rem 0 .25rem }
p { margin: .5rem 0 }
pre, code { font: .875rem/1.5 ui-monospace, monospace }
pre { padding: .75rem 1rem; overflow-x: auto; border: 1px solid #8886; border-radius: 6px; background: #8881 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: .5rem 0 }
dt { opacity: .7 }
dd { margin: 0; overflow-wrap: anywhere }
`

/** Nothing but the style above: no script, no image, no form, and no page around it. */
export const helpPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Returns the page that a browser shows at the address of a key. It has no links: its own address holds the key. */
export function helpPage(help: Help): string {
  const { endpoint, chain, family, use, address, webSocketAddress, key, examples, limits } = help
  const { onlyMethods, onlyContracts, methods, paths } = help
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escapeHtml(endpoint)} · Gatehouse</title>
<style>${style}</style>
<h1>${escapeHtml(endpoint)}</h1>
<p>${escapeHtml(use)}.</p>
${list([
  ['Chain', `${chain ?? 'not described any more'} (${family})`],
  ['Address', address],
  ...(webSocketAddress === null ? [] : [['WebSocket', webSocketAddress] as const]),
  ['Key', key],
])}
<h2>Examples</h2>
${examples.map((example) => `<h3>${escapeHtml(example.with)}</h3>\n<pre>${escapeHtml(example.code)}</pre>`).join('\n')}
<h2>${methods === null ? 'Paths' : 'Methods'}</h2>
${list([...(methods === null ? [['Paths', paths.join(', ')] as const] : methodRows(methods)), ...narrowedRows('This key only', onlyMethods), ...narrowedRows('Contracts only', onlyContracts)])}
<h2>Limits of this key</h2>
${list([
  ['Calls', limitText(limits.rate)],
  ['Credits', limitText(limits.credits)],
])}
<p>Each answer says in RateLimit what is left, and in x-rpc-credits what it cost.</p>
</html>
`
}

type Row = readonly [name: string, value: string]

const list = (rows: readonly Row[]): string =>
  `<dl>\n${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('\n')}\n</dl>`

function methodRows({ ordinary, restricted, unknown }: MethodGroups): Row[] {
  const unknownOpen = unknown.areAllOpen ? 'all' : names(unknown.open)
  return [
    ['Ordinary methods', `${ordinary.open} of ${ordinary.known}`],
    ['Node control and key use', names(restricted.open)],
    ['Methods in no table', unknownOpen],
  ]
}

const names = (all: readonly string[]): string => (all.length === 0 ? 'none' : all.join(', '))

const narrowedRows = (name: string, only: readonly string[]): Row[] =>
  only.length === 0 ? [] : [[name, only.join(', ')]]

const limitText = (limit: Limit | null): string =>
  limit === null ? 'no limit' : `${limit.units.toLocaleString('en')} in any ${limit.period}`
