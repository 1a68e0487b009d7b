import {
  type MethodRow,
  blockAt,
  closes,
  createMethodTable,
  filter,
  keyUse,
  nodeControl,
  opens,
  prices,
  read,
  write,
} from '../method-table.ts'
import { usualStream } from '../stream-role.ts'
import { heightAt, logRange, stateAt, traceRange } from './evm-blocks.ts'

/*
 * Sources: the RPC references of Erigon (erigon_*, ots_* of Otterscan), Polygon (bor_*), zkSync Era, Linea, Scroll, Optimism,
 * Arbitrum Nitro, Fantom, Harmony, Kaia (formerly Klaytn), Rootstock, Sei and Viction; compared with the specifications of these
 * chains in drpcorg/nodecore (pkg/methods/specs).
 */

const { search, replay } = prices

const kaia = (names: string): string =>
  names
    .trim()
    .split(/\s+/)
    .flatMap((name) => [`klay_${name}`, `kaia_${name}`])
    .join(' ')

const harmony = (names: string): string =>
  names
    .trim()
    .split(/\s+/)
    .flatMap((name) => [`hmy_${name}`, `hmyv2_${name}`])
    .join(' ')

/** Methods that only some chains of the family have, or only some of their nodes. */
export const evmChainMethods = createMethodTable([
  // Erigon and Otterscan
  [
    read(),
    `erigon_blockNumber erigon_forks erigon_cacheCheck erigon_getBlockByTimestamp erigon_getBalanceChangesInBlock
    ots_getApiLevel ots_getInternalOperations ots_getTransactionError ots_traceTransaction
    ots_getTransactionBySenderAndNonce ots_getContractCreator`,
  ],
  [
    read({ block: heightAt(0) }),
    'erigon_getHeaderByNumber ots_getBlockDetails ots_getBlockTransactions bor_getAuthor bor_getSnapshot bor_getSigners',
  ],
  [
    read({ block: blockAt(0, ['hash']) }),
    'erigon_getHeaderByHash erigon_getLogsByHash ots_getBlockDetailsByHash bor_getSnapshotAtHash bor_getSignersAtHash',
  ],
  [read({ block: blockAt(0, ['number', 'tag', 'hash']) }), 'erigon_getBlockReceiptsByBlockHash'],
  [read({ block: heightAt(1) }), 'ots_hasCode'],
  [read({ credits: search }), 'ots_searchTransactionsBefore ots_searchTransactionsAfter'],
  [read({ block: logRange, credits: search }), 'erigon_getLogs erigon_getLatestLogs'],
  // Polygon
  [
    read(),
    `bor_getCurrentValidators bor_getCurrentProposer bor_getRootHash eth_getRootHash
    eth_getTransactionReceiptsByBlock zkevm_consolidatedBlockNumber zkevm_isBlockConsolidated zkevm_isBlockVirtualized
    zkevm_batchNumberByBlockNumber zkevm_batchNumber zkevm_virtualBatchNumber zkevm_verifiedBatchNumber
    zkevm_getBatchByNumber zkevm_getBroadcastURI zkevm_estimateFee zkevm_getFullBlockByNumber zkevm_getFullBlockByHash`,
  ],
  // zkSync Era and the chains of its stack
  [
    read(),
    `zks_estimateFee zks_estimateGasL1ToL2 zks_getAllAccountBalances zks_getBlockDetails zks_getBridgeContracts
    zks_getBridgehubContract zks_getConfirmedTokens zks_getL1BatchBlockRange zks_getL1BatchDetails zks_getL1GasPrice
    zks_getFeeParams zks_getL2ToL1LogProof zks_getL2ToL1MsgProof zks_getMainContract zks_getRawBlockTransactions
    zks_getTestnetPaymaster zks_getTokenPrice zks_getTransactionDetails zks_getBytecodeByHash zks_getProof
    zks_getBaseTokenL1Address zks_getProtocolVersion zks_getBatchFeeInput zks_getTimestampAsserter zks_L1BatchNumber
    zks_L1ChainId zk_estimateFee`,
  ],
  [write, 'zks_sendRawTransactionWithDetailedOutput unstable_sendRawTransactionWithDetailedOutput'],
  // Linea, Scroll, Optimism, Mantle, Arbitrum
  [read({ block: stateAt(2) }), 'linea_getProof'],
  [
    read(),
    `linea_estimateGas scroll_estimateL1DataFee scroll_getBlockByHash scroll_getBlockByNumber
    scroll_getNumSkippedTransactions scroll_getSkippedTransaction scroll_getSkippedTransactionHashes
    optimism_outputAtBlock optimism_syncStatus optimism_rollupConfig optimism_version optimism_safeHeadAtL1Block
    optimism_dependencySet rollup_gasPrices rollup_getInfo eth_getBlockRange arb_getRawBlockMetadata
    arb_getMinRequiredNitroVersion arb_maintenanceStatus`,
  ],
  [read({ credits: replay }), 'arbtrace_replayTransaction arbtrace_get arbtrace_transaction'],
  [read({ block: stateAt(2), credits: replay }), 'arbtrace_call'],
  [read({ block: stateAt(1), credits: replay }), 'arbtrace_callMany'],
  [read({ block: heightAt(0), credits: replay }), 'arbtrace_block arbtrace_replayBlockTransactions'],
  [read({ block: traceRange, credits: replay }), 'arbtrace_filter'],
  [write, 'bor_sendRawTransactionConditional timeboost_sendExpressLaneTransaction auctioneer_submitBid'],
  // Fantom and Sonic, Rootstock, Sei, Viction, Celo, XDC
  [
    read(),
    `ftm_effectiveBaseFee ftm_currentEpoch ftm_getEpochBlock ftm_getRules ftm_getEpochStats dag_getEvent
    dag_getEventPayload dag_getHeads abft_getValidators abft_getDowntime abft_getEpochUptime abft_getOriginatedEpochFee
    rsk_getRawTransactionReceiptByHash rsk_getTransactionReceiptNodesByHash rsk_getRawBlockHeaderByHash
    rsk_getRawBlockHeaderByNumber rsk_protocolVersion sei_getCosmosTx sei_getEvmTx sei_getEVMAddress sei_getSeiAddress
    sei_getBlockByNumber sei_getBlockByHash sei_getBlockReceipts sei_getTransactionReceipt posv_getNetworkInformation
    XDPoS_getV2BlockByNumber XDPoS_getMasternodesByNumber XDPoS_networkInformation istanbul_getValidators
    istanbul_getValidatorsAtHash istanbul_getSnapshot qbft_getValidatorsByBlockNumber ibft_getValidatorsByBlockNumber
    clique_getSigners clique_getSignersAtHash clique_getSnapshot clique_getSnapshotAtHash parity_nextNonce`,
  ],
  [read({ block: logRange, credits: search }), `sei_getLogs ${kaia('getLogs')} hmy_getLogs`],
  [
    read({ block: stateAt(1) }),
    `${kaia('call estimateGas estimateComputationCost getAccount getAccountKey getCode getTransactionCount getBalance createAccessList isContractAccount accountCreated')} hmy_call hmy_getBalance hmy_getCode hmy_getTransactionCount`,
  ],
  [read({ block: stateAt(2) }), kaia('getStorageAt getProof')],
  [
    read({ block: heightAt(0) }),
    `${kaia('getBlockByNumber getHeaderByNumber getBlockReceipts getBlockTransactionCountByNumber getBlockWithConsensusInfoByNumber getRawTransactionByBlockNumberAndIndex getTransactionByBlockNumberAndIndex getCommittee getCommitteeSize getCouncil getCouncilSize getRewards getStakingInfo getChainConfig gasPriceAt')}
    ${harmony('getBlockByNumber getBlockTransactionCountByNumber getTransactionByBlockNumberAndIndex getStakingTransactionByBlockNumberAndIndex')}`,
  ],
  [
    read({ block: blockAt(0, ['hash']) }),
    `${kaia('getBlockByHash getHeaderByHash getBlockTransactionCountByHash getBlockWithConsensusInfoByHash getRawTransactionByBlockHashAndIndex getTransactionByBlockHashAndIndex')}
    ${harmony('getBlockByHash getBlockTransactionCountByHash getTransactionByBlockHashAndIndex getStakingTransactionByBlockHashAndIndex')}`,
  ],
  [
    read(),
    `${kaia(`blockNumber getDecodedAnchoringTransactionByHash getRawTransactionByHash getTransactionBySenderTxHash
    getTransactionByHash getTransactionReceipt getTransactionReceiptBySenderTxHash decodeAccountKey encodeAccountKey
    getBlockWithConsensusInfoByNumberRange syncing chainID clientVersion gasPrice protocolVersion forkStatus feeHistory
    lowerBoundGasPrice upperBoundGasPrice maxPriorityFeePerGas sha3 recoverFromTransaction recoverFromMessage nodeAddress`)}
    ${harmony(`getStakingTransactionByHash getTransactionByHash getTransactionReceipt getCXReceiptByHash blockNumber
    gasPrice getEpoch getValidators getBlocks getTransactionsHistory getPendingCrossLinks getPendingCXReceipts
    getCurrentTransactionErrorSink`)}
    hmy_getAllValidatorInformationByBlockNumber hmy_pendingTransactions hmyv2_pendingTransactions hmy_estimateGas
    hmy_getStorageAt hmy_isLastBlock hmy_latestHeader hmy_epochLastBlock hmy_getShardingStructure hmy_syncing
    hmy_getLeader hmy_getCirculatingSupply hmy_getTotalSupply hmy_getStakingNetworkInfo hmy_getAllValidatorInformation
    hmy_getDelegationsByValidator hmy_getDelegationsByDelegatorAndValidator hmy_getValidatorMetrics
    hmy_getDelegationsByDelegator hmy_getMedianRawStakeSnapshot hmy_getElectedValidatorAddresses
    hmy_getAllValidatorAddresses hmy_getCurrentStakingErrorSink hmy_getValidatorInformation hmy_getSignedBlocks
    hmy_isBlockSigner hmy_getBlockSigners hmy_getBalanceByBlockNumber hmyv2_getBalanceByBlockNumber hmyv2_getBalance
    hmyv2_getTransactionCount hmy_getCurrentUtilityMetrics`,
  ],
  [
    filter(),
    `${kaia('getFilterChanges getFilterLogs uninstallFilter newBlockFilter newPendingTransactionFilter newFilter')}
    hmy_newFilter hmy_newBlockFilter hmy_newPendingTransactionFilter hmy_getFilterLogs hmy_getFilterChanges`,
  ],
  ...['klay', 'kaia'].flatMap((prefix): MethodRow[] => [
    [
      opens({
        ...usualStream,
        names: 'hex',
        tells: `${prefix}_subscription`,
        closedBy: `${prefix}_unsubscribe`,
      }),
      `${prefix}_subscribe`,
    ],
    [closes(), `${prefix}_unsubscribe`],
  ]),
  [write, `${kaia('sendRawTransaction')} ${harmony('sendRawTransaction sendRawStakingTransaction')}`],
  [keyUse, kaia('accounts sign* resend pendingTransactions sendTransaction*')],
  [nodeControl, 'governance_* bootnode_* spos_* mainbridge_* subbridge_*'],
])
