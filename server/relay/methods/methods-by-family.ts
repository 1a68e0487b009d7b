import type { Family } from '../../../shared/chains.ts'

/** Lists of method names, or of prefixes that end in `*`. */
interface FamilyMethods {
  readonly reads: readonly string[]
  /** The exceptions from `reads`. */
  readonly writes: readonly string[]
  readonly stateful: readonly string[]
}

const names = (text: string): readonly string[] => text.trim().split(/\s+/)

const evm: FamilyMethods = {
  reads: names(`
    eth_get* eth_call eth_callMany eth_estimate* eth_blockNumber eth_chainId eth_gasPrice eth_feeHistory
    eth_maxPriorityFeePerGas eth_blobBaseFee eth_syncing eth_protocolVersion eth_accounts eth_createAccessList
    eth_simulateV1 net_* web3_* rpc_modules debug_trace* debug_get* trace_* txpool_* ots_* erigon_get* bor_get*
    zks_get* arbtrace_* optimism_outputAtBlock optimism_syncStatus linea_estimateGas linea_getProof`),
  writes: ['eth_getWork'],
  stateful: names(`
    eth_newFilter eth_newBlockFilter eth_newPendingTransactionFilter eth_uninstallFilter eth_getFilterChanges
    eth_getFilterLogs`),
}

const readsOnly = (text: string): FamilyMethods => ({ reads: names(text), writes: [], stateful: [] })

const none: FamilyMethods = { reads: [], writes: [], stateful: [] }

/** Adds the EVM's methods to those of a family: several chains have a module that answers both. */
const withEvm = (own: FamilyMethods): FamilyMethods => ({
  reads: [...evm.reads, ...own.reads],
  writes: [...evm.writes, ...own.writes],
  stateful: [...evm.stateful, ...own.stateful],
})

export const methodsByFamily: Readonly<Record<Family, FamilyMethods>> = {
  evm,
  solana: readsOnly('get* simulateTransaction simulateBundle isBlockhashValid minimumLedgerSlot'),
  bitcoin: {
    reads: names('get* decode* estimate* validateaddress verify* testmempoolaccept uptime help'),
    writes: names('getnewaddress getrawchangeaddress getblocktemplate'), // addresses of the node's own wallet
    stateful: [],
  },
  filecoin: withEvm({
    reads: names(`
      Filecoin.ChainGet* Filecoin.ChainHead Filecoin.ChainReadObj Filecoin.ChainHasObj Filecoin.State* Filecoin.Eth*
      Filecoin.GasEstimate* Filecoin.MpoolGetNonce Filecoin.MpoolPending Filecoin.NetVersion Filecoin.Version
      Filecoin.WalletBalance`),
    writes: names('Filecoin.EthSend* Filecoin.EthSubscribe Filecoin.EthUnsubscribe'),
    stateful: names('Filecoin.EthNew* Filecoin.EthGetFilter* Filecoin.EthUninstallFilter'),
  }),
  cosmos: withEvm(
    readsOnly(`
      abci_* block* status tx tx_search validators commit health net_info genesis* consensus_* dump_consensus_state
      unconfirmed_txs num_unconfirmed_txs header*`),
  ),
  near: readsOnly(`
    query block block_effects chunk tx status gas_price validators changes EXPERIMENTAL_* network_info health
    light_client_proof next_light_client_block`),
  starknet: readsOnly(`
    starknet_get* starknet_call starknet_estimate* starknet_simulate* starknet_block* starknet_chainId
    starknet_specVersion starknet_syncing starknet_trace* pathfinder_get* juno_version`),
  substrate: withEvm({
    reads: names(`
      chain_get* state_get* state_call state_query* childstate_get* archive_v1_* system_chain system_chainType
      system_health system_name system_properties system_version system_accountNextIndex rpc_methods payment_query*
      author_pending*`),
    writes: names('archive_v1_storageDiff* archive_v1_stop*'),
    stateful: [],
  }),
  'cosmos-rest': none,
  beacon: none,
  aptos: none,
  sui: none,
  tron: none,
  ton: none,
  xrpl: none,
  stellar: none,
  algorand: none,
  tezos: none,
  cardano: none,
  subgraph: none,
  http: none,
  mcp: none,
}
