import { harmlessCalls } from '../../../shared/harmless-calls.ts'
import { methodGroups } from '../../../shared/method-groups.ts'
import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { RequestFacts } from '../../platform/http/request-facts.ts'
import { asksForPage } from '../../platform/http/unknown-address.ts'
import { type CorsPolicy, responseHeaders } from '../http-response.ts'
import { knownMethodsOf } from '../methods/known-methods.ts'
import type { RelayKey } from '../ports.ts'
import { examplesOf, restExamplesOf } from './examples.ts'
import { type Help, helpPage, helpPagePolicy } from './help-page.ts'

export interface HelpSubject {
  readonly endpoint: Endpoint
  readonly key: RelayKey
  /** `scheme://host[:port]` of this installation. */
  readonly origin: string
}

/** Answers a GET at the address of a key: a page to browsers, JSON to programs. */
export function helpResponse(
  request: Request,
  facts: RequestFacts,
  subject: HelpSubject,
  cors: CorsPolicy,
): Response {
  const help = helpOf(subject)
  const headers = {
    ...responseHeaders(facts, cors),
    'cache-control': 'no-store', // the address holds a key
    'referrer-policy': 'no-referrer',
    'content-security-policy': helpPagePolicy,
    vary: cors.kind === 'one' || cors.kind === 'none' ? 'Accept, Origin' : 'Accept',
  }
  if (!asksForPage(request)) return Response.json(help, { headers })
  return new Response(helpPage(help), { headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } })
}

export function helpOf({ endpoint, key, origin }: HelpSubject): Help {
  const { name, family, chain, methods, isRest } = endpoint
  const address = `${origin}/rpc/${name}/{key}`
  return {
    ...(isRest ? restHelp(methods.allow, address) : callHelp(endpoint, address)),
    endpoint: name,
    family,
    chain: chain?.name ?? null,
    onlyMethods: key.allowedMethods,
    onlyContracts: key.allowedContracts,
    limits: { rate: key.rate, credits: key.credits },
  }
}

type HelpOfKind = Pick<
  Help,
  'use' | 'address' | 'webSocketAddress' | 'key' | 'examples' | 'methods' | 'paths'
>

function callHelp({ family, methods }: Endpoint, address: string): HelpOfKind {
  const known = knownMethodsOf(family)
  const method = harmlessCalls[family] ?? known.ordinary[0] ?? 'method'
  const bare = address.slice(0, -'/{key}'.length)
  return {
    use: 'POST a JSON-RPC 2.0 call, or an array of them, to this address',
    address,
    webSocketAddress: address.replace(/^http/, 'ws'),
    key: `in the address; or with ${bare} as Authorization: Bearer, x-api-key, or the password of Basic authentication`,
    examples: examplesOf(family, method, address),
    methods: methodGroups(known, methods),
    paths: [],
  }
}

const restHelp = (paths: readonly string[], address: string): HelpOfKind => ({
  use: 'Ask for one of the paths below this address',
  address: `${address}/{path}`,
  webSocketAddress: null,
  key: 'in the address',
  examples: restExamplesOf(paths, address),
  methods: null,
  paths,
})
