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
import { stepClosesDialog } from './ui/dialog-layers.ts'
import { useToasts } from './ui/toasts.ts'
import { keepTeamInvitation } from './teams/team-invitation.ts'
import { keepSetupToken, setupTokenIn } from './accounts/setup-token.ts'
import { windowTitle } from './window-title.ts'

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

/**
 * Pages that people open after one another come in one file: the first of them waits a little longer and the others for
 * nothing, and together they are a tenth smaller than each for itself. What most people open first has a file of its own.
 */
const pageOf =
  <Area>(load: () => Promise<Area>) =>
  (name: keyof Area) =>
  async () =>
    (await load())[name]

const monitoringPage = pageOf(async () => (await import('./pages/monitoring-pages.ts')).monitoringPages)
const relayPage = pageOf(async () => (await import('./pages/relay-pages.ts')).relayPages)
const gatewayPage = pageOf(async () => (await import('./pages/gateway-pages.ts')).gatewayPages)
const accountPage = pageOf(async () => (await import('./pages/account-pages.ts')).accountPages)

const pages: Readonly<Record<ConsolePage, Page>> = {
  overview: { title: 'Overview', component: () => import('./overview/OverviewPage.vue') },
  signIn: { title: 'Sign in', component: () => import('./accounts/SignInPage.vue'), isBare: true },
  alerts: { title: 'Alerts', component: monitoringPage('alerts'), forOperators: true },
  services: { title: 'Services', component: monitoringPage('services'), firstQuery: servicesQuery },
  service: { title: 'Service', component: monitoringPage('service') },
  chains: { title: 'Chains', component: monitoringPage('chains'), forOperators: true },
  verifiers: { title: 'Verifiers', component: monitoringPage('verifiers'), forOperators: true },
  endpoints: { title: 'Endpoints', component: relayPage('endpoints'), forOperators: true },
  registry: { title: 'Registry', component: gatewayPage('registry') },
  gateway: { title: 'Gateway', component: gatewayPage('gateway') },
  toolCalls: { title: 'Tool calls', component: gatewayPage('toolCalls') },
  usage: { title: 'Usage', component: relayPage('usage') },
  requests: { title: 'Requests', component: relayPage('requests') },
  accounts: { title: 'Accounts', component: accountPage('accounts'), forOperators: true },
  accountKeys: {
    title: 'Keys of all accounts',
    component: accountPage('accountKeys'),
    forOperators: true,
  },
  plans: { title: 'Plans', component: accountPage('plans'), forOperators: true },
  apiKeys: { title: 'API keys', component: () => import('./api-keys/ApiKeysPage.vue') },
  queryKeys: { title: 'Query keys', component: relayPage('queryKeys') },
  statusPages: { title: 'Status pages', component: monitoringPage('statusPages'), forOperators: true },
  auditLog: { title: 'Audit log', component: accountPage('auditLog'), forOperators: true },
  team: { title: 'Team', component: accountPage('team') },
  joinTeam: { title: 'Join a team', component: accountPage('joinTeam'), isBare: true },
  settings: { title: 'Settings', component: accountPage('settings') },
  connectAgent: {
    title: 'Connect an agent',
    component: () => import('./agents/ConnectAgentPage.vue'),
    isBare: true,
  },
  connectServer: { title: 'Connect a tool server', component: gatewayPage('connectServer') },
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
  router.beforeEach(stepClosesDialog)
  router.beforeEach(takeSecret)
  router.beforeEach(letIn)
  router.afterEach((to, from) => {
    // A page that stays has named its window itself, if what it shows has a name.
    if (from.matched.length === 0 || to.path !== from.path) document.title = windowTitle(to.meta.title)
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
  const toasts = useToasts()
  beginLoading(to)
  await account.load()
  if (account.current === null) {
    return { name: 'signIn', ...(to.fullPath !== '/' && { query: { returnTo: to.fullPath } }) }
  }
  if (to.meta.forOperators === true && !account.isOperator) {
    toasts.show('info', `“${to.meta.title}” is for operators of this installation alone.`)
    return { name: 'overview', replace: true }
  }
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
