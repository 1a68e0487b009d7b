import { deliveryStates } from '../../shared/deliveries.ts'
import type { DeliveryState } from '../../shared/deliveries.ts'
import { queryText } from '../address-query.ts'
import type { AddressQuery } from '../address-query.ts'

export const alertTabs = ['summary', 'rules', 'channels', 'deliveries', 'silences'] as const
export type AlertTab = (typeof alertTabs)[number]

/** What is made next. */
export const alertCreations = ['rule', 'channel', 'silence', 'maintenance'] as const
export type AlertCreation = (typeof alertCreations)[number]

/** What is shown of the alerts. It stands in the address of the page. */
export interface AlertsView {
  readonly tab: AlertTab
  readonly create: AlertCreation | null
  /** Of which channel deliveries are listed; empty: of all. */
  readonly channel: string
  /** In which state; null: in any. */
  readonly state: DeliveryState | null
  /** The id of the delivery whose attempts are shown; empty: none. */
  readonly delivery: string
}

export const alertsViewFromQuery = (query: AddressQuery): AlertsView => ({
  tab: alertTabs.find((tab) => tab === query['tab']) ?? 'summary',
  create: alertCreations.find((creation) => creation === query['create']) ?? null,
  channel: queryText(query, 'channel'),
  state: deliveryStates.find((state) => state === query['state']) ?? null,
  delivery: queryText(query, 'delivery'),
})

export const alertsQueryOf = ({
  tab,
  create,
  channel,
  state,
  delivery,
}: AlertsView): Record<string, string> => ({
  ...(tab !== 'summary' && { tab }),
  ...(create !== null && { create }),
  ...(channel !== '' && { channel }),
  ...(state !== null && { state }),
  ...(delivery !== '' && { delivery }),
})
