import {
  type BlockReference,
  blockAt,
  closes,
  createMethodTable,
  extendMethodTable,
  nodeControl,
  opens,
  placeAt,
  prices,
  read,
  write,
} from '../method-table.ts'
import { usualStream } from '../stream-role.ts'
import { evmMethods } from './evm.ts'

/*
 * Sources: CometBFT's RPC reference and OpenAPI description (v0.38 and v1.0); compared with drpcorg/nodecore
 * (pkg/methods/specs/cosmos-tendermint.json). Chains with an EVM module answer its methods as well.
 */

/** A height as a decimal text or a number; null or 0 is the latest. Parameters are given by name or as a list. */
const heightAt = (position: number): BlockReference =>
  blockAt(placeAt(position, { name: 'height' }), ['number'], 'latest')

const hash: BlockReference = blockAt(placeAt(0, { name: 'hash' }), ['hash'])

const cometBft = createMethodTable([
  [read({ block: heightAt(0) }), 'block block_results commit consensus_params header validators'],
  [read({ block: heightAt(2) }), 'abci_query'],
  [read({ block: hash }), 'block_by_hash header_by_hash'],
  [
    read({
      block: {
        kind: 'range',
        from: placeAt(0, { name: 'minHeight' }),
        to: placeAt(1, { name: 'maxHeight' }),
        hash: null,
        forms: ['number'],
        absent: 'latest',
      },
    }),
    'blockchain',
  ],
  [
    read(),
    `abci_info check_tx consensus_state genesis genesis_chunked health net_info num_unconfirmed_txs status tx
    unconfirmed_tx unconfirmed_txs`,
  ],
  [read({ credits: prices.search }), 'block_search tx_search'],
  [write, 'broadcast_tx_async broadcast_tx_sync broadcast_tx_commit broadcast_evidence'],
  // Further answers with the id of the request are its notifications: rpc/core/events.go of CometBFT.
  [
    opens({ ...usualStream, names: 'request', tells: 'subscribe_event', closedBy: 'unsubscribe' }),
    'subscribe',
  ],
  [closes('{}'), 'unsubscribe unsubscribe_all'],
  [nodeControl, 'unsafe_* dial_seeds dial_peers dump_consensus_state remove_tx'],
])

export const cosmosMethods = extendMethodTable(cometBft, evmMethods)
