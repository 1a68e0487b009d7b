import { createMethodTable, prices, read, write } from '../method-table.ts'

/** Source: Stellar RPC's list of methods, as in drpcorg/nodecore (pkg/methods/specs/stellar-json-rpc.json). */
export const stellarMethods = createMethodTable([
  [
    read(),
    `getHealth getNetwork getVersionInfo getLatestLedger getLedgers getLedgerEntries getTransaction getTransactions
    getFeeStats`,
  ],
  [read({ credits: prices.search }), 'getEvents'],
  [read({ credits: prices.replay }), 'simulateTransaction'],
  [write, 'sendTransaction'],
])
