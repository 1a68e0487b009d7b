import { queryText } from '../address-query.ts'
import type { AddressQuery } from '../address-query.ts'

const tabs = [
  { id: 'connect', title: 'Connect an agent' },
  { id: 'agents', title: 'Agents' },
  { id: 'connections', title: 'Connections' },
  { id: 'virtual-servers', title: 'Virtual servers' },
  { id: 'policies', title: 'Policies' },
  { id: 'playground', title: 'Playground' },
  { id: 'sessions', title: 'Sessions' },
  { id: 'tool-servers', title: 'Public servers' },
] as const
/** Parts that operators alone have. */
const operatorTabs: ReadonlySet<Tab> = new Set(['tool-servers'])

export const tabsFor = (isOperator: boolean) => tabs.filter(({ id }) => isOperator || !operatorTabs.has(id))

export type Tab = (typeof tabs)[number]['id']

/** What is shown of the gateway. It stands in the address of the page. */
export interface GatewayView {
  readonly tab: Tab
  /** The connection, or the service of the registry, that is tried out. */
  readonly server: string
  /** The service for which credentials are saved next; null: none. */
  readonly create: string | null
}

export function gatewayViewFromQuery(query: AddressQuery): GatewayView {
  const create = query['create']
  return {
    tab: tabs.find(({ id }) => id === queryText(query, 'tab'))?.id ?? 'connect',
    server: queryText(query, 'server'),
    create: create === undefined ? null : queryText(query, 'create'),
  }
}

export const gatewayQueryOf = ({ tab, server, create }: GatewayView): Record<string, string> => ({
  ...(tab !== 'connect' && { tab }),
  ...(server !== '' && { server }),
  ...(create !== null && { create }),
})
