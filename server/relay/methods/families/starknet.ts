import {
  type BlockReference,
  blockAt,
  closes,
  createMethodTable,
  keyUse,
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
 * Sources: starkware-libs/starknet-specs (api/starknet_api_openrpc.json, starknet_trace_api_openrpc.json,
 * starknet_write_api.json, starknet_ws_api.json; 0.9), the extensions of Juno and Pathfinder, starknet-devnet's methods;
 * compared with drpcorg/nodecore (pkg/methods/specs/starknet-json-rpc.json).
 */

/** `{ block_number }`, `{ block_hash }`, or a tag (`latest`, `pre_confirmed`, `l1_accepted`). */
const blockIdAt = (position: number): BlockReference =>
  blockAt(placeAt(position, { name: 'block_id' }), ['object', 'tag'])

const { search, replay } = prices

/** A re-organisation is told to every stream that it touches. */
const streamRow = (method: string, tells: string, facts: Partial<OpensStream> = {}): MethodRow => [
  opens({
    ...usualStream,
    names: 'digits',
    tells: `${tells} starknet_subscriptionReorg`,
    closedBy: 'starknet_unsubscribe',
    ...facts,
  }),
  method,
]

export const starknetMethods = createMethodTable([
  [read({ cache: 'constant' }), 'starknet_chainId'],
  [
    read({ block: blockIdAt(0) }),
    `starknet_getBlockWithTxHashes starknet_getBlockWithTxs starknet_getBlockWithReceipts starknet_getStateUpdate
    starknet_getBlockTransactionCount starknet_getTransactionByBlockIdAndIndex starknet_getClass
    starknet_getClassHashAt starknet_getClassAt starknet_getNonce starknet_getStorageProof`,
  ],
  [read({ block: blockIdAt(1) }), 'starknet_call starknet_estimateMessageFee'],
  [read({ block: blockIdAt(2) }), 'starknet_getStorageAt starknet_estimateFee'],
  [
    read({
      block: {
        kind: 'range',
        from: placeAt(0, { name: 'filter', member: 'from_block' }),
        to: placeAt(0, { name: 'filter', member: 'to_block' }),
        hash: null,
        forms: ['object', 'tag'],
        absent: 'latest',
      },
      credits: search,
    }),
    'starknet_getEvents',
  ],
  [
    read(),
    `starknet_specVersion starknet_getTransactionByHash starknet_getTransactionStatus
    starknet_getTransactionReceipt starknet_getMessagesStatus starknet_getCompiledCasm starknet_blockNumber
    starknet_blockHashAndNumber starknet_syncing pathfinder_version pathfinder_getProof pathfinder_getClassProof
    pathfinder_getTransactionStatus juno_version juno_getBlockWithTxnHashesAndReceipts`,
  ],
  [
    read({ block: blockIdAt(0), credits: replay }),
    'starknet_simulateTransactions starknet_traceBlockTransactions',
  ],
  [read({ credits: replay }), 'starknet_traceTransaction'],
  [
    write,
    'starknet_addInvokeTransaction starknet_addDeclareTransaction starknet_addDeployAccountTransaction',
  ],
  streamRow('starknet_subscribeNewHeads', 'starknet_subscriptionNewHeads', { isEveryBlock: true }),
  streamRow('starknet_subscribeEvents', 'starknet_subscriptionEvents'),
  streamRow('starknet_subscribeTransactionStatus', 'starknet_subscriptionTransactionStatus'),
  streamRow('starknet_subscribePendingTransactions', 'starknet_subscriptionPendingTransactions'),
  streamRow('starknet_subscribeNewTransactions', 'starknet_subscriptionNewTransaction'),
  streamRow('starknet_subscribeNewTransactionReceipts', 'starknet_subscriptionNewTransactionReceipts'),
  [
    opens({
      ...usualStream,
      names: 'number',
      tells: 'juno_subscribeNewHeads',
      closedBy: 'juno_unsubscribe',
      isEveryBlock: true,
    }),
    'juno_subscribeNewHeads',
  ],
  [closes(), 'starknet_unsubscribe juno_unsubscribe'],
  [nodeControl, 'devnet_* madara_* katana_* dev_*'],
  [keyUse, 'wallet_*'],
])
