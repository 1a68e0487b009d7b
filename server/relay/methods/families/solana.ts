import {
  type BlockReference,
  blockAt,
  closes,
  createMethodTable,
  type MethodRow,
  nodeControl,
  opens,
  placeAt,
  prices,
  read,
  write,
} from '../method-table.ts'
import { type OpensStream, usualStream } from '../stream-role.ts'

/*
 * Sources: Solana's and Agave's RPC and WebSocket reference, Jito's bundle methods, Metaplex' Digital Asset Standard, Surfpool's
 * cheat codes; compared with drpcorg/nodecore (pkg/methods/specs/solana-json-rpc.json, solana-websocket.json).
 */

/** A commitment (`processed`, `confirmed`, `finalized`) in the configuration object, which is the last parameter. */
const commitmentAt = (position: number): BlockReference =>
  blockAt(placeAt(position, { member: 'commitment' }), ['tag'], 'latest')

const slotAt = (position: number): BlockReference => blockAt(position, ['number'])

const { search, replay } = prices

/** `slotSubscribe`, for example, answers a number; its notifications are called `slotNotification`. */
function streamRows(of: string, facts: Partial<OpensStream> = {}): MethodRow[] {
  const closedBy = `${of}Unsubscribe`
  const stream = { ...usualStream, names: 'number', tells: `${of}Notification`, closedBy, ...facts } as const
  return [
    [opens(stream), `${of}Subscribe`],
    [closes(), closedBy],
  ]
}

export const solanaMethods = createMethodTable([
  [read({ cache: 'constant' }), 'getGenesisHash'],
  [read({ block: slotAt(0) }), 'getBlock getBlockCommitment getBlockTime getConfirmedBlock'],
  [
    read({
      block: {
        kind: 'range',
        from: placeAt(0),
        to: placeAt(1),
        hash: null,
        forms: ['number'],
        absent: 'latest',
      },
    }),
    'getBlocks getConfirmedBlocks',
  ],
  [
    read({ block: commitmentAt(0), cache: null }),
    `getBlockHeight getEpochInfo getInflationGovernor getLatestBlockhash getSlot getSlotLeader
    getStakeMinimumDelegation getSupply getTransactionCount getVoteAccounts getRecentBlockhash`,
  ],
  [
    read({ block: commitmentAt(1), cache: null }),
    `getAccountInfo getBalance getFeeForMessage getMinimumBalanceForRentExemption getMultipleAccounts
    getStakeActivation getTokenAccountBalance getTokenSupply isBlockhashValid`,
  ],
  [
    read(),
    `getBlocksWithLimit getBlockProduction getClusterNodes getEpochSchedule getFees getFirstAvailableBlock getHealth
    getHighestSnapshotSlot getIdentity getInflationRate getInflationReward getLeaderSchedule getMaxRetransmitSlot
    getMaxShredInsertSlot getRecentPerformanceSamples getRecentPrioritizationFees getSignatureStatuses getSlotLeaders
    getTransaction getConfirmedTransaction getVersion minimumLedgerSlot getFeeCalculatorForBlockhash
    getFeeRateGovernor getSnapshotSlot getBundleStatuses getInflightBundleStatuses getTipAccounts
    getRegionalTipAccounts getAsset getAssetProof getNftEditions`,
  ],
  [read({ block: commitmentAt(1), cache: null, credits: search }), 'getProgramAccounts'],
  [
    read({ block: commitmentAt(2), cache: null, credits: search }),
    'getTokenAccountsByDelegate getTokenAccountsByOwner',
  ],
  [
    read({ credits: search }),
    `getLargestAccounts getTokenLargestAccounts getSignaturesForAddress getConfirmedSignaturesForAddress2
    getAssetBatch getAssetProofBatch getAssets getAssetsByOwner getAssetsByAuthority getAssetsByCreator
    getAssetsByGroup searchAssets getSignaturesForAsset getAssetSignatures getTokenAccounts`,
  ],
  [read({ block: commitmentAt(1), cache: null, credits: replay }), 'simulateTransaction'],
  [read({ credits: replay }), 'simulateBundle'],
  [write, 'sendTransaction sendBundle requestAirdrop'],
  ...['account', 'block', 'logs', 'program', 'root', 'slotsUpdates', 'vote', 'transaction'].flatMap((of) =>
    streamRows(of),
  ),
  ...streamRows('slot', { isEveryBlock: true }),
  // It ends with the verdict, an object; that a leader has received the transaction is told before, as a string.
  ...streamRows('signature', { ending: /"value"\s*:\s*\{/ }),
  [nodeControl, 'surfnet_* setLogFilter validatorExit'],
])
