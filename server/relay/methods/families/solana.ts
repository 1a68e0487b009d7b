import {
  type BlockReference,
  createMethodTable,
  nodeControl,
  placeAt,
  prices,
  read,
  subscribe,
  write,
} from '../method-table.ts'

/*
 * Sources: Solana's and Agave's RPC and WebSocket reference, Jito's bundle methods, Metaplex' Digital Asset Standard, Surfpool's
 * cheat codes; compared with drpcorg/nodecore (pkg/methods/specs/solana-json-rpc.json, solana-websocket.json).
 */

/** A commitment (`processed`, `confirmed`, `finalized`) in the configuration object, which is the last parameter. */
const commitmentAt = (position: number): BlockReference => ({
  kind: 'block',
  at: placeAt(position, { member: 'commitment' }),
  forms: ['tag'],
  absent: 'latest',
})

const slotAt = (position: number): BlockReference => ({
  kind: 'block',
  at: placeAt(position),
  forms: ['number'],
  absent: null,
})

const { search, replay } = prices

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
  [
    subscribe,
    `accountSubscribe accountUnsubscribe blockSubscribe blockUnsubscribe logsSubscribe logsUnsubscribe
    programSubscribe programUnsubscribe rootSubscribe rootUnsubscribe signatureSubscribe signatureUnsubscribe
    slotSubscribe slotUnsubscribe slotsUpdatesSubscribe slotsUpdatesUnsubscribe voteSubscribe voteUnsubscribe
    transactionSubscribe transactionUnsubscribe`,
  ],
  [nodeControl, 'surfnet_* setLogFilter validatorExit'],
])
