import { closes, type MethodRow, opens, uses } from '../method-table.ts'
import { type OpensStream, usualStream } from '../stream-role.ts'

/*
 * Sources: the `#[subscription]` attributes in polkadot-sdk (substrate/client/rpc-api/src/{author,chain,state}/mod.rs,
 * consensus/{grandpa,beefy}/rpc, rpc-spec-v2/src) and paritytech/json-rpc-interface-spec: `stop` of `chainHead_v1_follow`
 * and `storageError` of `archive_v1_storage` are how a node ends these streams itself. What a node still does for a
 * transaction that it watches is not known once it is gone, so those streams are lost.
 */

const endsAStorageQuery = /"event"\s*:\s*"(?:storageDone|storageDiffDone|storageError|storageDiffError)"/
const nodeGone = 'the node is gone; ask again'

const rows = (
  names: string,
  tells: string,
  closedBy: string,
  facts: Partial<OpensStream> = {},
): MethodRow => [
  opens({ ...usualStream, names: 'text', tells, closedBy: closedBy.split(' ')[0] ?? closedBy, ...facts }),
  names,
]

const newHeads = 'chain_unsubscribeNewHeads chain_unsubscribeNewHead unsubscribe_newHead'
const finalizedHeads = 'chain_unsubscribeFinalizedHeads chain_unsubscribeFinalisedHeads'
const runtimeVersion = 'state_unsubscribeRuntimeVersion chain_unsubscribeRuntimeVersion'

/** The methods that have to do with streams. */
export const streamRows: readonly MethodRow[] = [
  rows('chain_subscribeNewHeads chain_subscribeNewHead subscribe_newHead', 'chain_newHead', newHeads, {
    isEveryBlock: true,
  }),
  rows('chain_subscribeAllHeads', 'chain_allHead', 'chain_unsubscribeAllHeads', { isEveryBlock: true }),
  rows('chain_subscribeFinalizedHeads chain_subscribeFinalisedHeads', 'chain_finalizedHead', finalizedHeads),
  rows(
    'state_subscribeRuntimeVersion chain_subscribeRuntimeVersion',
    'state_runtimeVersion chain_runtimeVersion',
    runtimeVersion,
  ),
  rows('state_subscribeStorage', 'state_storage', 'state_unsubscribeStorage'),
  rows('grandpa_subscribeJustifications', 'grandpa_justifications', 'grandpa_unsubscribeJustifications'),
  rows('beefy_subscribeJustifications', 'beefy_justifications', 'beefy_unsubscribeJustifications'),
  rows('author_submitAndWatchExtrinsic', 'author_extrinsicUpdate', 'author_unwatchExtrinsic', {
    ending: /"(?:finalized|finalityTimeout|usurped)"\s*:|"result"\s*:\s*"(?:dropped|invalid)"/,
    whenNodeIsGone: 'lost',
  }),
  rows(
    'transactionWatch_v1_submitAndWatch',
    'transactionWatch_v1_watchEvent',
    'transactionWatch_v1_unwatch',
    {
      ending: /"event"\s*:\s*"(?:finalized|error|invalid|dropped)"/,
      whenNodeIsGone: 'lost',
    },
  ),
  rows('chainHead_v1_follow', 'chainHead_v1_followEvent', 'chainHead_v1_unfollow', {
    ending: /"event"\s*:\s*"stop"/,
    whenNodeIsGone: '{"event":"stop"}',
  }),
  rows('archive_v1_storage', 'archive_v1_storageEvent', 'archive_v1_stopStorage', {
    ending: endsAStorageQuery,
    whenNodeIsGone: `{"event":"storageError","error":"${nodeGone}"}`,
  }),
  rows(
    'archive_v1_storageDiff',
    'archive_v1_storageDiffEvent',
    'archive_v1_storageDiff_stopStorageDiff archive_v1_stopStorageDiff',
    { ending: endsAStorageQuery, whenNodeIsGone: `{"event":"storageDiffError","error":"${nodeGone}"}` },
  ),
  [
    closes(),
    `${newHeads} ${finalizedHeads} ${runtimeVersion} chain_unsubscribeAllHeads state_unsubscribeStorage
    grandpa_unsubscribeJustifications beefy_unsubscribeJustifications author_unwatchExtrinsic`,
  ],
  [
    closes('null'),
    `chainHead_v1_unfollow transactionWatch_v1_unwatch archive_v1_stopStorage
    archive_v1_storageDiff_stopStorageDiff archive_v1_stopStorageDiff`,
  ],
  [
    uses('stream'),
    `chainHead_v1_body chainHead_v1_call chainHead_v1_continue chainHead_v1_header chainHead_v1_stopOperation
    chainHead_v1_storage chainHead_v1_unpin`,
  ],
  [uses('connection'), 'transaction_v1_broadcast transaction_v1_stop'],
]
