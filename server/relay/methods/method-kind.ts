import type { Family } from '../../../shared/chains.ts'

/**
 * - `read`: asking twice changes nothing, and every node can answer it.
 * - `stateful`: only the node knows of it that was asked before, such as a filter.
 * - `write`: anything else. Of a method that nobody listed, nothing good is assumed.
 */
export type MethodKind = 'read' | 'stateful' | 'write'

/** Names, or beginnings of names with `*`. */
interface Methods {
  readonly reads: readonly string[]
  /** Exceptions from `reads`. */
  readonly writes: readonly string[]
  readonly stateful: readonly string[]
}

const evm: Methods = {
  reads: [
    ...[
      'eth_get*',
      'eth_call',
      'eth_callMany',
      'eth_estimate*',
      'eth_blockNumber',
      'eth_chainId',
      'eth_gasPrice',
    ],
    ...[
      'eth_feeHistory',
      'eth_maxPriorityFeePerGas',
      'eth_blobBaseFee',
      'eth_syncing',
      'eth_protocolVersion',
    ],
    ...['eth_accounts', 'eth_createAccessList', 'eth_simulateV1', 'net_*', 'web3_*', 'rpc_modules'],
    ...['debug_trace*', 'debug_get*', 'trace_*', 'txpool_*', 'ots_*', 'erigon_get*', 'bor_get*', 'zks_get*'],
    ...['arbtrace_*', 'optimism_outputAtBlock', 'optimism_syncStatus', 'linea_estimateGas', 'linea_getProof'],
  ],
  writes: ['eth_getWork'],
  stateful: [
    ...['eth_newFilter', 'eth_newBlockFilter', 'eth_newPendingTransactionFilter', 'eth_uninstallFilter'],
    ...['eth_getFilterChanges', 'eth_getFilterLogs'],
  ],
}

const none: Methods = { reads: [], writes: [], stateful: [] }

const methodsOf: Readonly<Record<Family, Methods>> = {
  evm,
  solana: {
    reads: ['get*', 'simulateTransaction', 'simulateBundle', 'isBlockhashValid', 'minimumLedgerSlot'],
    writes: [],
    stateful: [],
  },
  bitcoin: {
    reads: [
      'get*',
      'decode*',
      'estimate*',
      'validateaddress',
      'verify*',
      'testmempoolaccept',
      'uptime',
      'help',
    ],
    // These make addresses in the node's wallet.
    writes: ['getnewaddress', 'getrawchangeaddress', 'getblocktemplate'],
    stateful: [],
  },
  filecoin: {
    reads: [
      ...evm.reads,
      ...['Filecoin.ChainGet*', 'Filecoin.ChainHead', 'Filecoin.ChainReadObj', 'Filecoin.ChainHasObj'],
      ...['Filecoin.State*', 'Filecoin.Eth*', 'Filecoin.GasEstimate*', 'Filecoin.MpoolGetNonce'],
      ...['Filecoin.MpoolPending', 'Filecoin.NetVersion', 'Filecoin.Version', 'Filecoin.WalletBalance'],
    ],
    writes: ['Filecoin.EthSend*', 'Filecoin.EthSubscribe', 'Filecoin.EthUnsubscribe'],
    stateful: [
      ...evm.stateful,
      ...['Filecoin.EthNew*', 'Filecoin.EthGetFilter*', 'Filecoin.EthUninstallFilter'],
    ],
  },
  cosmos: {
    reads: [
      ...['abci_*', 'block*', 'status', 'tx', 'tx_search', 'validators', 'commit', 'health', 'net_info'],
      ...[
        'genesis*',
        'consensus_*',
        'dump_consensus_state',
        'unconfirmed_txs',
        'num_unconfirmed_txs',
        'header*',
      ],
      ...evm.reads,
    ],
    writes: [],
    stateful: evm.stateful,
  },
  near: {
    reads: [
      ...['query', 'block', 'block_effects', 'chunk', 'tx', 'status', 'gas_price', 'validators', 'changes'],
      ...['EXPERIMENTAL_*', 'network_info', 'health', 'light_client_proof', 'next_light_client_block'],
    ],
    writes: [],
    stateful: [],
  },
  starknet: {
    reads: [
      ...['starknet_get*', 'starknet_call', 'starknet_estimate*', 'starknet_simulate*', 'starknet_block*'],
      ...['starknet_chainId', 'starknet_specVersion', 'starknet_syncing', 'starknet_trace*'],
      ...['pathfinder_get*', 'juno_version'],
    ],
    writes: [],
    stateful: [],
  },
  substrate: {
    reads: [
      ...['chain_get*', 'state_get*', 'state_call', 'state_query*', 'childstate_get*', 'archive_v1_*'],
      ...['system_chain', 'system_chainType', 'system_health', 'system_name', 'system_properties'],
      ...['system_version', 'system_accountNextIndex', 'rpc_methods', 'payment_query*', 'author_pending*'],
      ...evm.reads,
    ],
    writes: ['archive_v1_storageDiff*', 'archive_v1_stop*'],
    stateful: evm.stateful,
  },
  subgraph: none,
  http: none,
  mcp: none,
}

export function methodKind(family: Family, method: string): MethodKind {
  const { reads, writes, stateful } = methodsOf[family]
  if (isListed(stateful, method)) return 'stateful'
  return isListed(reads, method) && !isListed(writes, method) ? 'read' : 'write'
}

const isListed = (patterns: readonly string[], method: string): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? method.startsWith(pattern.slice(0, -1)) : method === pattern,
  )
