import {
  type BlockReference,
  blockAt,
  createMethodTable,
  extendMethodTable,
  keyUse,
  nodeControl,
  prices,
  read,
  write,
} from '../method-table.ts'
import { streamRows } from './substrate-streams.ts'
import { evmMethods } from './evm.ts'

/*
 * Sources: the interface definitions of polkadot.js (packages/types/src/interfaces), paritytech/json-rpc-interface-spec
 * (chainHead, chainSpec, archive, transaction), and which methods polkadot-sdk calls unsafe; compared with
 * drpcorg/nodecore (pkg/methods/specs/polkadot-json-rpc.json, polkadot-websocket.json, avail.json).
 */

const hashAt = (position: number): BlockReference => blockAt(position, ['hash'], 'latest')

const numberAt = (position: number): BlockReference => blockAt(position, ['number'], 'latest')

const { search, replay } = prices

const substrate = createMethodTable([
  [read({ cache: 'constant' }), 'chainSpec_v1_genesisHash'],
  [read({ block: numberAt(0) }), 'chain_getBlockHash chain_getHead'],
  [
    read({ block: hashAt(0) }),
    `chain_getBlock chain_getHeader chain_getRuntimeVersion state_getMetadata state_getRuntimeVersion mmr_root
    state_trieMigrationStatus archive_v1_body archive_v1_header`,
  ],
  [
    read({ block: hashAt(1) }),
    `state_getStorage state_getStorageAt state_getStorageHash state_getStorageHashAt state_getStorageSize
    state_getStorageSizeAt state_getReadProof state_queryStorageAt payment_queryInfo payment_queryFeeDetails
    contracts_getStorage`,
  ],
  [
    read({ block: hashAt(2) }),
    `state_call state_callAt childstate_getStorage childstate_getStorageEntries childstate_getStorageHash
    childstate_getStorageSize state_getChildReadProof mmr_generateProof`,
  ],
  [read({ block: hashAt(1), credits: search }), 'state_getKeys state_getPairs'],
  [read({ block: hashAt(2), credits: search }), 'childstate_getKeys'],
  [read({ block: hashAt(3), credits: search }), 'state_getKeysPaged state_getKeysPagedAt'],
  [read({ block: hashAt(4), credits: search }), 'childstate_getKeysPaged childstate_getKeysPagedAt'],
  [read({ credits: replay }), 'state_traceBlock state_queryStorage'],
  [
    read(),
    `account_nextIndex system_accountNextIndex author_pendingExtrinsics beefy_getFinalizedHead
    chain_getFinalisedHead chain_getFinalizedHead chainSpec_v1_chainName chainSpec_v1_properties
    archive_v1_finalizedHeight archive_v1_genesisHash archive_v1_hashByHeight archive_v1_call grandpa_proveFinality
    grandpa_roundState mmr_verifyProof mmr_verifyProofStateless rpc_methods runtime_wasmBlobVersion
    stakingRewards_inflationInfo system_chain system_chainType system_health system_name system_properties
    system_syncState system_version kate_blockLength kate_queryDataProof kate_queryProof kate_queryRows
    gear_calculateHandleGas gear_calculateInitCreateGas gear_calculateInitUploadGas gear_calculateReplyGas
    gear_readMetahash gear_readState gear_readStateBatch gear_readStateUsingWasm gear_readStateUsingWasmBatch
    contracts_call contracts_getStorageRentProjection moon_isBlockFinalized moon_isTxFinalized
    moon_getEthSyncBlockRange`,
  ],
  [write, 'author_submitExtrinsic'],
  ...streamRows,
  [
    nodeControl,
    `offchain_* dev_* sync_state_* system_addLogFilter system_addReservedPeer
    system_dryRun system_dryRunAt system_localListenAddresses system_localPeerId system_networkState
    system_nodeRoles system_peers system_removeReservedPeer system_reservedPeers system_resetLogFilter
    system_unstable_networkState author_removeExtrinsic`,
  ],
  [keyUse, 'author_* babe_epochAuthorship'],
])

/** The methods of Substrate and of Frontier, its module that answers Ethereum's methods. */
export const substrateMethods = extendMethodTable(substrate, evmMethods)
