import { trpc } from '../trpc.ts'

/** All of these are for operators. What is changed on the page of alerts may change any of them. */
export const alertsKey = ['alerts'] as const

export const firingAlertsQuery = {
  key: [...alertsKey, 'firing'],
  query: () => trpc.alerts.firing.query(),
}

export const pastAlertsQuery = { key: [...alertsKey, 'past'], query: () => trpc.alerts.past.query() }

export const alertRulesQuery = { key: [...alertsKey, 'rules'], query: () => trpc.alertRules.list.query() }

export const channelsQuery = { key: [...alertsKey, 'channels'], query: () => trpc.channels.list.query() }

export const silencesQuery = { key: [...alertsKey, 'silences'], query: () => trpc.silences.list.query() }

export const maintenanceQuery = {
  key: [...alertsKey, 'maintenance'],
  query: () => trpc.maintenance.list.query(),
}

/** The last delivery of each of these channels, by its name. */
export const lastDeliveriesQuery = (channels: readonly string[]) => ({
  key: [...alertsKey, 'last-deliveries', ...channels],
  query: async () => {
    const pages = await Promise.all(
      channels.map((channel) => trpc.deliveries.list.query({ channel, limit: 1 })),
    )
    return new Map(pages.flatMap(({ deliveries }) => deliveries).map((last) => [last.channel, last]))
  },
})

export const deliveryQuery = (id: string) => ({
  key: [...alertsKey, 'delivery', id],
  query: () => trpc.deliveries.get.query({ id }),
})
