import type { Ref } from 'vue'

import type { DeliveryQuery, DeliveryView } from '../../shared/deliveries.ts'
import { trpc } from '../trpc.ts'
import { useRecordList } from '../use-record-list.ts'
import { alertsKey } from './alert-queries.ts'

const refreshMs = 3_000

/** Reads what was sent to channels. */
export const useDeliveries = (filter: Readonly<Ref<Pick<DeliveryQuery, 'channel' | 'state'>>>) =>
  useRecordList<DeliveryView, number>(
    () => ({
      key: [...alertsKey, 'deliveries', filter.value.channel ?? '', filter.value.state ?? ''],
      async read(cursor) {
        const page = await trpc.deliveries.list.query({ ...filter.value, ...(cursor !== null && { cursor }) })
        return { rows: page.deliveries, cursor: page.nextCursor }
      },
    }),
    refreshMs,
  )
