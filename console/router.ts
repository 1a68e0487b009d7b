import { useQueryCache } from '@pinia/colada'
import type { UseQueryOptions } from '@pinia/colada'
import type { Component } from 'vue'
import { createRouter, createWebHistory } from 'vue-router'
import type { RouteLocationNormalized, Router } from 'vue-router'

import { consolePages } from '../shared/console-pages.ts'
import type { ConsolePage } from '../shared/console-pages.ts'
import { useAccount } from './accounts/account.ts'
import { invitationTokenIn, keepInvitation } from './accounts/invitation-link.ts'
import { servicesQuery } from './health/services-query.ts'
import { keepTeamInvitation } from './teams/team-invitation.ts'
import { keepSetupToken, setupTokenIn } from './accounts/setup-token.ts'

declare module 'vue-router' {
  interface RouteMeta {
    /** Before `· Gatehouse` in the title of the window. */
    title?: string
    /** Without the frame, and open to everybody. */
    isBare?: boolean
    forOperators?: boolean
    /** Loads the page. */
    component?: () => Promise<Component>
    firstQuery?: UseQueryOptions
  }
}

interface Page {
  readonly title: string
  readonly component: () => Promise<Component>
  readonly isBare?: true
  readonly forOperators?: true
  /** What the page asks the server for in any case: it is asked while the page is still being drawn. */
  readonly firstQuery?: UseQueryOptions
}

const pages: Readonly<Record<ConsolePage, Page>> = {
  overview: { title: 'Overview', component: () => import('./overview/OverviewPage.vue') },
  signIn: { title: 'Sign in', component: () => import('./accounts/SignInPage.vue'), isBare: true },
  alerts: { title: 'Alerts', component: () => import('./alerts/AlertsPage.vue'), forOperators: true },
  services: {
    title: 'Services',
    component: () => import('./health/ServicesPage.vue'),
    firstQuery: servicesQuery,
  },
  service: { title: 'Service', component: () => import('./health/ServicePage.vue') },
  chains: { title: 'Chains', component: () => import('./chains/ChainsPage.vue'), forOperators: true },
  verifiers: {
    title: 'Verifiers',
    component: () => import('./health/VerifiersPage.vue'),
    forOperators: true,
  },
  endpoints: {
    title: 'Endpoints',
    component: () => import('./endpoints/EndpointsPage.vue'),
    forOperators: true,
  },
  registry: { title: 'Registry', component: () => import('./registry/RegistryPage.vue') },
  gateway: { title: 'Gateway', component: () => import('./gateway/GatewayPage.vue') },
  toolCalls: { title: 'Tool calls', component: () => import('./tool-calls/ToolCallsPage.vue') },
  usage: { title: 'Usage', component: () => import('./usage/UsagePage.vue') },
  requests: { title: 'Requests', component: () => import('./requests/RequestsPage.vue') },
  accounts: {
    title: 'Accounts',
    component: () => import('./accounts/list/AccountsPage.vue'),
    forOperators: true,
  },
  accountKeys: {
    title: 'Keys of all accounts',
    component: () => import('./accounts/list/AllKeysPage.vue'),
    forOperators: true,
  },
  plans: { title: 'Plans', component: () => import('./plans/PlansPage.vue'), forOperators: true },
  apiKeys: { title: 'API keys', component: () => import('./api-keys/ApiKeysPage.vue') },
  queryKeys: { title: 'Query keys', component: () => import('./query-keys/QueryKeysPage.vue') },
  statusPages: {
    title: 'Status pages',
    component: () => import('./status-pages/StatusPagesPage.vue'),
    forOperators: true,
  },
  auditLog: {
    title: 'Audit log',
    component: () => import('./audit/AuditLogPage.vue'),
    forOperators: true,
  },
  team: { title: 'Team', component: () => import('./teams/TeamPage.vue') },
  joinTeam: { title: 'Join a team', component: () => import('./teams/JoinTeamPage.vue'), isBare: true },
  settings: { title: 'Settings', component: () => import('./accounts/SettingsPage.vue') },
  connectAgent: {
    title: 'Connect an agent',
    component: () => import('./agents/ConnectAgentPage.vue'),
    isBare: true,
  },
  connectServer: {
    title: 'Connect a tool server',
    component: () => import('./gateway/ConnectServerPage.vue'),
  },
}

const pageNames = Object.keys(consolePages).filter((name): name is ConsolePage => name in consolePages)

export function createConsoleRouter(): Router {
  const router = createRouter({
    history: createWebHistory(),
    routes: [
      ...pageNames.map((name) => {
        const { component, title, isBare = false, forOperators = false, firstQuery } = pages[name]
        const meta = { title, isBare, forOperators, component, ...(firstQuery && { firstQuery }) }
        return { path: consolePages[name], name, component, meta }
      }),
      {
        path: '/:path(.*)*',
        name: 'nowhere',
        component: () => import('./frame/NowherePage.vue'),
        meta: { title: 'Not found' },
      },
    ],
    scrollBehavior: (_to, _from, saved) => saved ?? { top: 0 },
  })
  router.beforeEach(takeSecret)
  router.beforeEach(letIn)
  router.afterEach(({ meta }) => {
    document.title = meta.title === undefined ? 'Gatehouse' : `${meta.title} · Gatehouse`
  })
  return router
}

/** The secret of a setup link or an invitation leaves the address bar, and the history, before anything else happens. */
function takeSecret(to: RouteLocationNormalized) {
  const toTeam = to.name === 'joinTeam' ? invitationTokenIn(to.hash) : null
  if (toTeam !== null) {
    keepTeamInvitation(sessionStorage, toTeam)
    history.replaceState(history.state, '', to.path)
    return { name: 'joinTeam', replace: true }
  }
  const setup = to.name === 'signIn' ? setupTokenIn(to.hash) : null
  const invitation = to.name === 'signIn' ? invitationTokenIn(to.hash) : null
  if (setup === null && invitation === null) return true
  if (setup !== null) keepSetupToken(sessionStorage, setup)
  if (invitation !== null) keepInvitation(sessionStorage, invitation)
  history.replaceState(history.state, '', to.path)
  return { name: 'signIn', query: to.query, replace: true }
}

/** Whoever is not signed in signs in first, and comes back to where they wanted to go. */
async function letIn(to: RouteLocationNormalized, from: RouteLocationNormalized) {
  if (to.meta.isBare === true) return true
  const account = useAccount()
  beginLoading(to)
  await account.load()
  if (account.current === null) {
    return { name: 'signIn', ...(to.fullPath !== '/' && { query: { returnTo: to.fullPath } }) }
  }
  if (to.meta.forOperators === true && !account.isOperator) return { name: 'overview', replace: true }
  // Who waits for approval sees no page, and is refused what is on it.
  if (to.name !== from.name && account.current.state !== 'pending') askFirst(to)
  return true
}

/** The script of the page comes while the server says who this is. */
function beginLoading({ meta }: RouteLocationNormalized): void {
  // The router asks for it again, and then sees to it when it does not come.
  meta.component?.().catch(() => undefined)
}

/** The server answers while the page is being drawn; the page then finds its question asked. */
function askFirst({ meta }: RouteLocationNormalized): void {
  if (meta.firstQuery === undefined) return
  const cache = useQueryCache()
  // The page shows what went wrong: it reads the same entry.
  cache.refresh(cache.ensure(meta.firstQuery)).catch(() => undefined)
}
