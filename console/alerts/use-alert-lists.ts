import { computed } from 'vue'
import type { Ref } from 'vue'

import { useLiveQuery } from '../live-query.ts'
import { callErrorText } from '../trpc.ts'
import {
  alertRulesQuery,
  channelsQuery,
  firingAlertsQuery,
  maintenanceQuery,
  silencesQuery,
} from './alert-queries.ts'

/** Of what happens now. */
const nowEveryMs = 3_000

/** A list as the cards of the page take it: rows that stay while the server cannot be reached. */
export interface ShownList<Row> {
  readonly rows: readonly Row[]
  /** Nothing was read yet, be it that a read failed: whether there are rows is not known. */
  readonly isLoading: boolean
  readonly error: string | null
  readonly retry: () => void
}

interface ListAnswer<Row> {
  readonly data: Readonly<Ref<readonly Row[] | undefined>>
  readonly error: Readonly<Ref<unknown>>
  readonly refetch: () => unknown
}

export const shownList = <Row>({ data, error, refetch }: ListAnswer<Row>) =>
  computed((): ShownList<Row> => ({
    rows: data.value ?? [],
    isLoading: data.value === undefined,
    error: error.value === null ? null : callErrorText(error.value),
    retry: () => void refetch(),
  }))

/** All that the page of alerts shows of what there is, asked again while the tab can be seen. */
export function useAlertLists() {
  const firing = useLiveQuery(firingAlertsQuery, nowEveryMs)
  return {
    firing: shownList(firing),
    updatedAt: firing.updatedAt,
    rules: shownList(useLiveQuery(alertRulesQuery)),
    channels: shownList(useLiveQuery(channelsQuery)),
    silences: shownList(useLiveQuery(silencesQuery)),
    maintenance: shownList(useLiveQuery(maintenanceQuery)),
  }
}
