import { queryText } from '../address-query.ts'
import type { AddressQuery } from '../address-query.ts'

export const statusTabs = [
  { id: 'pages', title: 'Pages' },
  { id: 'incidents', title: 'Incidents' },
  { id: 'report', title: 'Monthly report' },
] as const
export type StatusTab = (typeof statusTabs)[number]['id']

/** What is shown of the status pages. It stands in the address of the page. */
export interface StatusView {
  readonly tab: StatusTab
  /** Of the report; empty for the last whole month. */
  readonly month: string
  /** Empty for that of each service. */
  readonly objective: string
}

export const statusViewFromQuery = (query: AddressQuery): StatusView => ({
  tab: statusTabs.find(({ id }) => id === queryText(query, 'tab'))?.id ?? 'pages',
  month: queryText(query, 'month'),
  objective: queryText(query, 'objective'),
})

export const statusQueryOf = ({ tab, month, objective }: StatusView): Record<string, string> => ({
  ...(tab !== 'pages' && { tab }),
  ...(month !== '' && { month }),
  ...(objective !== '' && { objective }),
})
