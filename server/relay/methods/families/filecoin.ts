import {
  type BlockReference,
  blockAt,
  createMethodTable,
  extendMethodTable,
  keyUse,
  type KnownMethod,
  type MethodRow,
  nodeControl,
  prices,
  read,
  subscribe,
  write,
} from '../method-table.ts'
import { evmMethods } from './evm.ts'

/*
 * Sources: Lotus' API reference (documentation/en/api-v1-unstable-methods.md), whose permissions `write`, `sign` and `admin` are
 * restricted here except for signed messages; compared with drpcorg/nodecore (pkg/methods/specs/filecoin.json), which
 * relays some of them.
 */

/** A tipset key, which is a list of block hashes; null is the head. */
const tipsetAt = (position: number): BlockReference => blockAt(position, ['hash'], 'latest')

const epochAt = (position: number): BlockReference => blockAt(position, ['number'])

const named = (names: string): string =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `Filecoin.${name}`)
    .join(' ')

/** The second name that Lotus gives to a method of Ethereum: `Filecoin.EthGetBalance` is `eth_getBalance`. */
const lotusName = (method: string): string => {
  const name = method.slice('eth_'.length)
  return `Filecoin.Eth${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

const ethereumInLotus = `
  eth_accounts eth_blockNumber eth_call eth_chainId eth_estimateGas eth_feeHistory eth_gasPrice eth_getBalance
  eth_getBlockByHash eth_getBlockByNumber eth_getBlockReceipts eth_getBlockTransactionCountByHash
  eth_getBlockTransactionCountByNumber eth_getCode eth_getFilterChanges eth_getFilterLogs eth_getLogs eth_getStorageAt
  eth_getTransactionByBlockHashAndIndex eth_getTransactionByBlockNumberAndIndex eth_getTransactionByHash
  eth_getTransactionCount eth_getTransactionReceipt eth_maxPriorityFeePerGas eth_newBlockFilter eth_newFilter
  eth_newPendingTransactionFilter eth_protocolVersion eth_sendRawTransaction eth_subscribe eth_syncing
  eth_uninstallFilter eth_unsubscribe`
  .trim()
  .split(/\s+/)

function lotusRow(method: string): MethodRow {
  const facts: KnownMethod | null = evmMethods.find(method)
  if (facts === null) throw new Error(`${method} is not in the table of Ethereum`)
  return [facts, lotusName(method)]
}

const { search, replay } = prices

const lotus = createMethodTable([
  ...ethereumInLotus.map(lotusRow),
  [read({ cache: 'constant' }), named('ChainGetGenesis StateNetworkName')],
  [
    read({ block: tipsetAt(0) }),
    named(`ChainGetTipSet ChainGetMessagesInTipset ChainTipSetWeight StateCirculatingSupply StateListActors
      StateListMiners StateMarketParticipants StateNetworkVersion StateVMCirculatingSupplyInternal
      StateVerifiedRegistryRootKey StateGetRandomnessDigestFromBeacon`),
  ],
  [
    read({ block: tipsetAt(1) }),
    named(`StateAccountKey StateDealProviderCollateralBounds StateGetActor StateGetAllocations StateGetClaims
      StateLookupID StateLookupRobustAddress StateMarketBalance StateMarketStorageDeal StateMinerActiveSectors
      StateMinerAvailableBalance StateMinerDeadlines StateMinerFaults StateMinerInfo StateMinerPower
      StateMinerProvingDeadline StateMinerRecoveries StateMinerSectorCount StateReadState StateVerifiedClientStatus
      StateVerifierStatus MsigGetAvailableBalance MsigGetPending MsigGetVestingSchedule StateGetAllocation
      StateGetClaim`),
  ],
  [
    read({ block: tipsetAt(2) }),
    named(`StateMinerAllocated StateMinerInitialPledgeCollateral StateMinerPartitions
      StateMinerPreCommitDepositForPower StateMinerSectorAllocated StateMinerSectors StateSectorExpiration
      StateSectorGetInfo StateSectorPartition StateSectorPreCommitInfo GasEstimateFeeCap`),
  ],
  [
    read({ block: epochAt(0) }),
    named('ChainGetTipSetByHeight ChainGetTipSetAfterHeight StateGetBeaconEntry'),
  ],
  [
    read(),
    named(`ChainGetBlock ChainGetBlockMessages ChainGetEvents ChainGetMessage ChainGetNode ChainGetParentMessages
      ChainGetParentReceipts ChainGetPath ChainHasObj ChainHead ChainReadObj ChainStatObj GasEstimateGasLimit
      GasEstimateGasPremium GasEstimateMessageGas MinerGetBaseInfo MpoolCheckMessages MpoolCheckPendingMessages
      MpoolCheckReplaceMessages MpoolGetConfig MpoolGetNonce MpoolPending MpoolSelect MsigGetVested NetListening
      NetVersion NodeStatus StartTime StateActorCodeCIDs StateActorManifestCID StateDecodeParams StateEncodeParams
      StateGetAllocationForPendingDeal StateGetAllocationIdForPendingDeal StateGetNetworkParams
      StateGetRandomnessDigestFromTickets StateGetRandomnessFromBeacon StateGetRandomnessFromTickets StateGetReceipt
      StateComputeDataCID StateSectorsInfo SyncState Version WalletBalance WalletValidateAddress WalletVerify
      Web3ClientVersion EthAddressToFilecoinAddress FilecoinAddressToEthAddress EthGetMessageCidByTransactionHash
      EthGetTransactionHashByCid EthGetTransactionByHashLimited EthGetTransactionReceiptLimited
      EthGetBlockReceiptsLimited EthGetTransactionCountByBlock GetActorEventsRaw ID F3GetCertificate
      F3GetLatestCertificate F3GetManifest F3GetECPowerTable F3GetF3PowerTable F3IsRunning`),
  ],
  [
    read({ credits: search }),
    named(`StateAllMinerFaults StateChangedActors StateListMessages StateMarketDeals StateSearchMsg
      StateSearchMsgLimited`),
  ],
  [
    read({ credits: replay }),
    named(`StateCall StateCompute StateReplay StateWaitMsg StateWaitMsgLimited EthTraceBlock EthTraceFilter
      EthTraceReplayBlockTransactions EthTraceTransaction`),
  ],
  [write, named('MpoolPush MpoolPushUntrusted MpoolBatchPush MpoolBatchPushUntrusted')],
  [subscribe, named('ChainNotify MpoolSub SyncIncomingBlocks SubscribeActorEventsRaw')],
  [
    nodeControl,
    named(`Auth* Client* Closing CreateBackup F3* Log* Market* MpoolClear MpoolSetConfig Net*
      Node* Raft* Session Shutdown Sync* ChainBlockstoreInfo ChainCheckBlockstore ChainDeleteObj ChainExport ChainExportRangeInternal
      ChainGCBlockstore ChainHotGC ChainPrune ChainPutObj ChainSetHead ChainValidateIndex`),
  ],
  [keyUse, named(`Wallet* Paych* Msig* MpoolPushMessage MpoolBatchPushMessage MinerCreateBlock Sign*`)],
])

/** The methods of Lotus and of the module that answers Ethereum's methods. */
export const filecoinMethods = extendMethodTable(lotus, evmMethods)
