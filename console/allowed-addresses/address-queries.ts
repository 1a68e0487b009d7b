import { trpc } from '../trpc.ts'

export const allowedAddressesQuery = {
  key: ['allowed-addresses'],
  query: () => trpc.allowedAddresses.list.query(),
}
