import { trpc } from '../trpc.ts'
import type { RouterAnswers } from '../trpc.ts'

export type ListedConnection = RouterAnswers['connections']['list'][number]
export type ListedVirtualServer = RouterAnswers['virtualServers']['list'][number]
export type Session = RouterAnswers['gateway']['sessions']['sessions'][number]
export type ToolsAnswer = RouterAnswers['gateway']['tools']
export type ToolCallAnswer = RouterAnswers['gateway']['callTool']
export type ListedTools = Extract<ToolsAnswer, { outcome: 'listed' }>
export type Tool = ListedTools['tools'][number]
/** A tool server that anybody may use, as the installation knows it. */
export type ListedToolServer = RouterAnswers['toolServers']['list'][number]
export type ServerChanges = RouterAnswers['toolServers']['changes']
export type ListedFinding = Tool['findings'][number]
export type Trouble = Exclude<ToolsAnswer, { outcome: 'listed' }>

export const addressesQuery = {
  key: ['gateway', 'addresses'],
  query: () => trpc.gateway.addresses.query(),
}

export const connectionsQuery = {
  key: ['gateway', 'connections'],
  query: () => trpc.connections.list.query(),
}

/** One of them; what changes the list changes it, too. */
export const connectionQueryOf = (id: string) => ({
  key: [...connectionsQuery.key, id],
  query: () => trpc.connections.get.query({ id }),
})

export const publicServersQuery = {
  key: ['gateway', 'public-servers'],
  query: () => trpc.gateway.publicServers.query(),
}

export const credentialServersQuery = {
  key: ['gateway', 'credential-servers'],
  query: () => trpc.gateway.credentialServers.query(),
}

/** The account's virtual servers, then those of the installation. */
export const virtualServersQuery = {
  key: ['gateway', 'virtual-servers'],
  query: () => trpc.virtualServers.list.query(),
}

export const sessionsQuery = { key: ['gateway', 'sessions'], query: () => trpc.gateway.sessions.query() }

/** API keys of the account, by which calls are told apart. */
export const ownApiKeysQuery = { key: ['api-keys'], query: () => trpc.apiKeys.list.query() }

/** Whether this installation has an address at which agents can be let in. */
export const agentsOfferedQuery = {
  key: ['agents', 'offered'],
  query: () => trpc.agents.isOffered.query(),
}

/** Agents that the account let in by OAuth. */
export const agentsQuery = { key: ['agents', 'list'], query: () => trpc.agents.list.query() }

/** Agents whose access has ended because a refresh token was used twice. */
export const reusedTokensQuery = { key: ['agents', 'reused'], query: () => trpc.agents.reused.query() }

/** For operators. */
export const allAgentsQuery = { key: ['agents', 'all'], query: () => trpc.operatorAgents.list.query() }

/** For operators. */
export const toolServersQuery = {
  key: ['gateway', 'tool-servers'],
  query: () => trpc.toolServers.list.query(),
}

/** For operators. */
export const allSessionsQuery = {
  key: ['gateway', 'all-sessions'],
  query: () => trpc.gateway.allSessions.query(),
}
