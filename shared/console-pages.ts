/**
 * Paths of the console's pages, in the notation that both routers understand. The server answers each with the
 * console; everything else that it does not know is `not_found`.
 */
export const consolePages = {
  overview: '/',
  signIn: '/sign-in',
  alerts: '/alerts',
  services: '/services',
  service: '/services/:serviceId',
  chains: '/chains',
  verifiers: '/verifiers',
  endpoints: '/endpoints',
  registry: '/registry',
  gateway: '/gateway',
  toolCalls: '/tool-calls',
  usage: '/usage',
  requests: '/requests',
  accounts: '/accounts',
  accountKeys: '/accounts/keys',
  plans: '/accounts/plans',
  apiKeys: '/api-keys',
  queryKeys: '/query-keys',
  statusPages: '/status-pages',
  auditLog: '/audit-log',
  settings: '/settings',
  team: '/teams/:teamId',
  joinTeam: '/join-team',
  connectAgent: '/connect-agent',
  connectServer: '/gateway/connect/:connectionId',
} as const
export type ConsolePage = keyof typeof consolePages
