import { trpc } from '../trpc.ts'
import type { RouterAnswers } from '../trpc.ts'

export type ListedStatusPage = RouterAnswers['statusPages']['list'][number]
export type ListedIncident = RouterAnswers['statusPages']['incidents'][number]
export type ListedReport = RouterAnswers['statusPages']['report']

export const statusPagesQuery = { key: ['status-pages'], query: () => trpc.statusPages.list.query() }

export const subscriberCountsQuery = {
  key: ['status-pages', 'subscribers'],
  query: () => trpc.statusPages.subscriberCounts.query(),
}

export const incidentsQuery = {
  key: ['status-pages', 'incidents'],
  query: () => trpc.statusPages.incidents.query(),
}
