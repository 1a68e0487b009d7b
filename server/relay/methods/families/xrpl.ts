import {
  type BlockReference,
  blockAt,
  createMethodTable,
  keyUse,
  nodeControl,
  placeAt,
  prices,
  read,
  subscribe,
  write,
} from '../method-table.ts'

/*
 * Sources: XRPLF/xrpl-dev-portal (the reference of rippled's public and admin methods, and of Clio). The parameters are a list
 * with one object.
 */

const ledgerIndex: BlockReference = blockAt(
  placeAt(0, { member: 'ledger_index' }),
  ['number', 'tag'],
  'latest',
)

export const xrplMethods = createMethodTable([
  [
    read({ block: ledgerIndex }),
    `account_channels account_currencies account_info account_lines account_nfts account_objects account_offers
    amm_info book_offers deposit_authorized gateway_balances ledger ledger_entry mpt_holders nft_buy_offers
    nft_history nft_info nft_sell_offers nfts_by_issuer noripple_check transaction_entry vault_info
    get_aggregate_price book_changes`,
  ],
  [
    read(),
    `channel_verify fee feature ledger_closed ledger_current ledger_index manifest ping random ripple_path_find
    server_definitions server_info server_state simulate tx version`,
  ],
  [read({ credits: prices.search }), 'account_tx ledger_data tx_history'],
  [write, 'submit submit_multisigned'],
  [subscribe, 'subscribe unsubscribe path_find'],
  [
    nodeControl,
    `can_delete connect consensus_info crawl_shards download_shard fetch_info get_counts ledger_accept
    ledger_cleaner ledger_request log_level logrotate node_to_shard peers peer_reservations_add
    peer_reservations_del peer_reservations_list print stop unl_list validator_info validator_list_sites validators`,
  ],
  [keyUse, 'channel_authorize sign sign_for validation_create wallet_propose'],
])
