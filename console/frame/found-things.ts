import { Activity, Cable, KeyRound, Library, Link, Network, ScrollText, Users, Waypoints } from '@lucide/vue'
import type { Component } from 'vue'

import { consolePages } from '../../shared/console-pages.ts'
import type { FoundKind, FoundThing } from '../../shared/global-search.ts'

interface KindLook {
  readonly name: string
  readonly plural: string
  readonly icon: Component
  /** Where a thing of this kind is shown. */
  readonly path: (thing: FoundThing) => string
}

const withQuery = (path: string, query: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(query).toString()}`

/** How finds of each kind look in the palette, and where they lead. */
export const foundKindLooks: Readonly<Record<FoundKind, KindLook>> = {
  service: {
    name: 'Service',
    plural: 'services',
    icon: Activity,
    path: ({ id }) => consolePages.service.replace(':serviceId', encodeURIComponent(id)),
  },
  endpoint: {
    name: 'Endpoint',
    plural: 'endpoints',
    icon: Waypoints,
    path: ({ id }) => withQuery(consolePages.endpoints, { search: id }),
  },
  queryKey: {
    name: 'Query key',
    plural: 'query keys',
    icon: Cable,
    path: ({ id, title, owner }) =>
      owner === undefined
        ? withQuery(consolePages.queryKeys, { search: title })
        : withQuery(consolePages.accountKeys, { search: id }),
  },
  apiKey: {
    name: 'API key',
    plural: 'API keys',
    icon: KeyRound,
    path: ({ id, title, owner }) =>
      owner === undefined
        ? withQuery(consolePages.apiKeys, { search: title })
        : withQuery(consolePages.accountKeys, { kind: 'api', search: id }),
  },
  account: {
    name: 'Account',
    plural: 'accounts',
    icon: Users,
    path: ({ id }) => withQuery(consolePages.accounts, { open: id }),
  },
  connection: {
    name: 'Connection',
    plural: 'connections',
    icon: Link,
    path: () => withQuery(consolePages.gateway, { tab: 'connections' }),
  },
  virtualServer: {
    name: 'Virtual server',
    plural: 'virtual servers',
    icon: Network,
    path: () => withQuery(consolePages.gateway, { tab: 'virtual-servers' }),
  },
  auditSubject: {
    name: 'Audit log',
    plural: 'the audit log',
    icon: ScrollText,
    path: ({ id }) => withQuery(consolePages.auditLog, { subject: id }),
  },
  registryEntry: {
    name: 'Registry',
    plural: 'the registry',
    icon: Library,
    path: ({ id, chain = '' }) =>
      withQuery(consolePages.registry, { service: id, ...(chain && { on: chain }) }),
  },
}

/** A whole key that was pasted is searched by what is shown of it, and so never sent. */
export const searchedText = (typed: string): string =>
  typed
    .trim()
    .replace(/(g[aq]k_)[0-9A-Za-z]{8,}/g, (value: string, prefix: string) => `${prefix}…${value.slice(-4)}`)

/** Where not everything could be searched, what was not; empty where all was. */
export const unsearchedText = (kinds: readonly FoundKind[]): string =>
  kinds.length === 0
    ? ''
    : `Could not search ${kinds.map((kind) => foundKindLooks[kind].plural).join(', ')}: try again shortly.`
