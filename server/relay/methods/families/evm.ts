import {
  type BlockReference,
  blockAt,
  closes,
  createMethodTable,
  extendMethodTable,
  filter,
  keyUse,
  nodeControl,
  opens,
  placeAt,
  prices,
  read,
  write,
} from '../method-table.ts'
import { usualStream } from '../stream-role.ts'
import { anyForm, heightAt, logRange, stateAt, traceRange } from './evm-blocks.ts'
import { evmChainMethods } from './evm-chains.ts'

/*
 * Sources: ethereum/execution-apis (src/eth, src/debug, src/engine), the RPC references of geth, Erigon, Nethermind, Reth
 * and Besu, ERC-4337's bundler methods (ERC-7769), Flashbots' bundle methods, Foundry's list of anvil methods and Hardhat
 * Network's reference; block parameters compared with drpcorg/nodecore (pkg/methods/specs/eth-json-rpc.json) and
 * erpc/erpc (common/defaults.go).
 */

const memberAt = (position: number, member: string): BlockReference =>
  blockAt(placeAt(position, { member }), ['number', 'tag', 'hash'], 'latest')

const hashAt = (position: number): BlockReference => blockAt(position, ['hash'])

const heightsAt = (from: number, to: number): BlockReference => ({
  kind: 'range',
  from: placeAt(from),
  to: placeAt(to),
  hash: null,
  forms: ['number'],
  absent: 'latest',
})

const { search, replay } = prices
const ethereum = createMethodTable([
  [read({ cache: 'constant' }), 'eth_chainId net_version'],
  [
    read(),
    `eth_blockNumber eth_gasPrice eth_maxPriorityFeePerGas eth_blobBaseFee eth_baseFee eth_syncing eth_protocolVersion
    eth_coinbase eth_mining eth_hashrate eth_config eth_capabilities
    net_listening net_peerCount web3_clientVersion web3_sha3 rpc_modules txpool_status
    eth_getRawTransactionByHash eth_getTransactionBySenderAndNonce eth_fillTransaction
    eth_getUserOperationByHash eth_getUserOperationReceipt eth_supportedEntryPoints eth_estimateUserOperationGas`,
  ],
  [read({ cache: 'by-hash', block: hashAt(0) }), 'eth_getBlockByHash'],
  [read({ cache: 'by-hash' }), 'eth_getTransactionByHash eth_getTransactionReceipt'],
  [
    read({ block: hashAt(0) }),
    `eth_getHeaderByHash eth_getBlockTransactionCountByHash eth_getTransactionByBlockHashAndIndex
    eth_getRawTransactionByBlockHashAndIndex eth_getUncleByBlockHashAndIndex eth_getUncleCountByBlockHash
    debug_getBlockAccessList`,
  ],
  [
    read({ block: heightAt(0) }),
    `eth_getBlockByNumber eth_getHeaderByNumber eth_getBlockTransactionCountByNumber
    eth_getTransactionByBlockNumberAndIndex eth_getRawTransactionByBlockNumberAndIndex
    eth_getUncleByBlockNumberAndIndex eth_getUncleCountByBlockNumber eth_getTdByNumber`,
  ],
  [read({ block: blockAt(0, anyForm) }), 'eth_getBlockReceipts eth_getBlockAccessList'],
  [
    read({ block: stateAt(1) }),
    `eth_getBalance eth_getTransactionCount eth_getCode eth_call eth_estimateGas eth_createAccessList eth_getAccount
    eth_getAccountInfo eth_getStorageValues`,
  ],
  [read({ block: stateAt(2) }), 'eth_getStorageAt eth_getProof'],
  [read({ block: heightAt(1) }), 'eth_feeHistory'],
  [read({ block: stateAt(1), credits: replay }), 'eth_simulateV1 debug_traceCall trace_callMany'],
  [read({ block: memberAt(1, 'blockNumber'), credits: replay }), 'eth_callMany debug_traceCallMany'],
  [read({ block: memberAt(0, 'stateBlockNumber'), credits: replay }), 'eth_callBundle'],
  [read({ block: logRange, credits: search }), 'eth_getLogs'],

  [filter({ block: logRange }), 'eth_newFilter'],
  [
    filter(),
    `eth_newBlockFilter eth_newPendingTransactionFilter eth_uninstallFilter eth_getFilterChanges eth_getFilterLogs`,
  ],
  [
    opens({ ...usualStream, names: 'hex', tells: 'eth_subscription', closedBy: 'eth_unsubscribe' }),
    'eth_subscribe',
  ],
  [closes(), 'eth_unsubscribe'],
  [
    write,
    `eth_sendRawTransaction eth_sendRawTransactionSync eth_sendRawTransactionConditional eth_sendRawTransactions
    eth_sendPrivateTransaction eth_sendPrivateRawTransaction eth_cancelPrivateTransaction eth_sendBundle
    eth_cancelBundle eth_sendMevBundle mev_sendBundle eth_sendUserOperation`,
  ],

  [
    read({ credits: replay }),
    `debug_traceTransaction debug_traceBlock debug_intermediateRoots debug_traceBadBlock trace_rawTransaction
    trace_replayTransaction trace_transaction trace_get mev_simBundle`,
  ],
  [
    read({ block: blockAt(0, ['number', 'tag', 'hash']), credits: replay }),
    `debug_traceBlockByNumber trace_block trace_replayBlockTransactions debug_executionWitness`,
  ],
  [read({ block: hashAt(0), credits: replay }), 'debug_traceBlockByHash debug_executionWitnessByBlockHash'],
  [read({ block: stateAt(2), credits: replay }), 'trace_call'],
  [read({ block: traceRange, credits: replay }), 'trace_filter'],
  [
    read({ block: blockAt(0, ['number', 'tag', 'hash']) }),
    `debug_getRawBlock debug_getRawHeader debug_getRawReceipts debug_storageRangeAt debug_accountRange`,
  ],
  [read(), 'debug_getRawTransaction debug_getBadBlocks debug_codeByHash'],
  [
    read({ block: heightsAt(0, 1), credits: search }),
    'debug_getModifiedAccountsByNumber debug_getAccessibleState',
  ],
  [read({ credits: search }), 'debug_getModifiedAccountsByHash'],

  [
    nodeControl,
    `admin_* miner_* engine_* testing_* clique_* debug_* txpool_* parity_* anvil_* hardhat_* evm_* ganache_* tenderly_* les_*
    db_* shh_* perm_* plugins_* raft_* quorumPermission_* diagnostics_* sequencer_* conductor_* opp2p_*
    arbdebug_* istanbul_* ibft_* qbft_* eth_getWork eth_submitWork eth_submitHashrate eth_setEtherbase`,
  ],
  [
    keyUse,
    `personal_* account_* wallet_* eea_* priv_* eth_accounts eth_sign* eth_sendTransaction* eth_resend
    eth_pendingTransactions`,
  ],
])

/** The methods of Ethereum and of the chains that descend from it. */
export const evmMethods = extendMethodTable(ethereum, evmChainMethods)
