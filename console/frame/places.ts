import {
  Activity,
  BellRing,
  Bot,
  Cable,
  ChartColumn,
  Gauge,
  KeyRound,
  LayoutDashboard,
  Link as LinkIcon,
  Library,
  Megaphone,
  ListTree,
  Radar,
  ScrollText,
  Settings,
  Users,
  Waypoints,
  Wrench,
} from '@lucide/vue'
import type { Component } from 'vue'

import { consolePages } from '../../shared/console-pages.ts'

/** A page that one can go to from everywhere. */
export interface Place {
  readonly to: string
  readonly title: string
  readonly icon: Component
  readonly keywords: readonly string[]
  readonly forOperators: boolean
}

const place = (to: string, title: string, icon: Component, keywords: readonly string[] = []): Place => ({
  to,
  title,
  icon,
  keywords,
  forOperators: false,
})

/** Places that belong together; the first ones have no title. */
export interface PlaceSection {
  readonly title: string | null
  readonly places: readonly Place[]
}

/** The sidebar. */
export const placeSections: readonly PlaceSection[] = [
  {
    title: null,
    places: [
      place(consolePages.overview, 'Overview', LayoutDashboard, ['home', 'start']),
      {
        ...place(consolePages.alerts, 'Alerts', BellRing, [
          'channels',
          'rules',
          'silences',
          'maintenance',
          'deliveries',
        ]),
        forOperators: true,
      },
    ],
  },
  {
    title: 'Health',
    places: [
      place(consolePages.services, 'Services', Activity, ['health', 'nodes', 'up', 'down', 'latency']),
      { ...place(consolePages.verifiers, 'Verifiers', Radar, ['probes', 'enrol']), forOperators: true },
      {
        ...place(consolePages.statusPages, 'Status pages', Megaphone, [
          'public',
          'incidents',
          'sla',
          'report',
        ]),
        forOperators: true,
      },
    ],
  },
  {
    title: 'Relay',
    places: [
      {
        ...place(consolePages.endpoints, 'Endpoints', Waypoints, ['upstreams', 'relay', 'prices', 'credits']),
        forOperators: true,
      },
      place(consolePages.queryKeys, 'Query keys', Cable, ['connect', 'limits', 'credits', 'rpc']),
      place(consolePages.usage, 'Usage', ChartColumn, [
        'statistics',
        'requests',
        'credits',
        'errors',
        'calls',
      ]),
      place(consolePages.requests, 'Requests', ListTree, [
        'log',
        'failures',
        'errors',
        'attempts',
        'live',
        'tail',
      ]),
    ],
  },
  {
    title: 'Agents',
    places: [
      place(consolePages.registry, 'Registry', Library, ['services', 'providers', 'networks', 'categories']),
      place(consolePages.gateway, 'Gateway', Bot, ['agents', 'mcp', 'tools', 'connections', 'playground']),
      place(consolePages.toolCalls, 'Tool calls', Wrench, [
        'agents',
        'mcp',
        'log',
        'statistics',
        'denied',
        'errors',
      ]),
    ],
  },
  {
    title: 'Administration',
    places: [
      {
        ...place(consolePages.accounts, 'Accounts', Users, [
          'people',
          'approve',
          'invite',
          'disable',
          'sign-up',
        ]),
        forOperators: true,
      },
      place(consolePages.apiKeys, 'API keys', KeyRound, ['tokens', 'permissions']),
      {
        ...place(consolePages.auditLog, 'Audit log', ScrollText, ['history', 'who', 'changes']),
        forOperators: true,
      },
      place(consolePages.settings, 'Settings', Settings, ['profile', 'sessions', 'wallets', 'sign out']),
    ],
  },
]

/** Pages below those of the sidebar that one can go to as well. */
const placesBelow: readonly Place[] = [
  {
    ...place(consolePages.chains, 'Chains', LinkIcon, ['networks', 'custom', 'testnet', 'rollup']),
    forOperators: true,
  },
  {
    ...place(consolePages.plans, 'Plans', Gauge, ['limits', 'quotas', 'tiers', 'accounts']),
    forOperators: true,
  },
  {
    ...place(consolePages.accountKeys, 'Keys of all accounts', KeyRound, ['query keys', 'API keys']),
    forOperators: true,
  },
]

export const places: readonly Place[] = [
  ...placeSections.flatMap((section) => section.places),
  ...placesBelow,
]
