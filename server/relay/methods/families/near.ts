import {
  type BlockReference,
  blockAt,
  createMethodTable,
  nodeControl,
  placeAt,
  read,
  write,
} from '../method-table.ts'

/*
 * Sources: NEAR's RPC reference and the list of methods in nearcore (chain/jsonrpc/src/lib.rs); compared with
 * drpcorg/nodecore (pkg/methods/specs/near-json-rpc.json).
 */

/** The parameters are one object. It has `block_id`, or a tag (`final`, `optimistic`) in `finality` instead. */
const blockId: BlockReference = blockAt(placeAt(0, { name: 'block_id' }), ['number', 'hash'])

const latestBlockId: BlockReference = { ...blockId, absent: 'latest' }

export const nearMethods = createMethodTable([
  [
    read({ block: blockId }),
    `block query changes block_effects EXPERIMENTAL_changes EXPERIMENTAL_changes_in_block
    EXPERIMENTAL_protocol_config EXPERIMENTAL_validators_ordered EXPERIMENTAL_congestion_level congestion_level
    EXPERIMENTAL_view_account EXPERIMENTAL_view_code EXPERIMENTAL_view_state EXPERIMENTAL_view_access_key
    EXPERIMENTAL_view_access_key_list EXPERIMENTAL_call_function`,
  ],
  [read({ block: latestBlockId }), 'chunk gas_price'],
  [
    read(),
    `genesis_config EXPERIMENTAL_genesis_config health light_client_proof EXPERIMENTAL_light_client_proof
    EXPERIMENTAL_light_client_block_proof maintenance_windows EXPERIMENTAL_maintenance_windows network_info
    next_light_client_block receipt EXPERIMENTAL_receipt EXPERIMENTAL_split_storage_info status tx
    EXPERIMENTAL_tx_status validators`,
  ],
  [write, 'send_tx broadcast_tx_async broadcast_tx_commit'],
  [nodeControl, 'adv_* sandbox_* client_config metrics'],
])
