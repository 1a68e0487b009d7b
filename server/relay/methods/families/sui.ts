import {
  closes,
  createMethodTable,
  type MethodRow,
  nodeControl,
  opens,
  prices,
  read,
  write,
} from '../method-table.ts'
import { usualStream } from '../stream-role.ts'

/*
 * Sources: MystenLabs/sui (crates/sui-open-rpc/spec/openrpc.json). Its `unsafe_*` methods build transactions for whoever asks,
 * which burdens the node.
 */

export const suiMethods = createMethodTable([
  [read({ cache: 'constant' }), 'sui_getChainIdentifier'],
  [
    read(),
    `sui_getCheckpoint sui_getCheckpoints sui_getEvents sui_getLatestCheckpointSequenceNumber
    sui_getMoveFunctionArgTypes sui_getNormalizedMoveFunction sui_getNormalizedMoveModule
    sui_getNormalizedMoveModulesByPackage sui_getNormalizedMoveStruct sui_getObject sui_getProtocolConfig
    sui_getTotalTransactionBlocks sui_getTransactionBlock sui_multiGetObjects sui_multiGetTransactionBlocks
    sui_tryGetPastObject sui_tryMultiGetPastObjects sui_verifyZkLoginSignature suix_getAllBalances suix_getAllCoins
    suix_getBalance suix_getCoinMetadata suix_getCoins suix_getCommitteeInfo suix_getDynamicFieldObject
    suix_getDynamicFields suix_getEpochs suix_getCurrentEpoch suix_getLatestSuiSystemState suix_getOwnedObjects
    suix_getReferenceGasPrice suix_getStakes suix_getStakesByIds suix_getTotalSupply suix_getValidatorsApy
    suix_resolveNameServiceAddress suix_resolveNameServiceNames rpc.discover`,
  ],
  [read({ credits: prices.search }), 'suix_queryEvents suix_queryTransactionBlocks'],
  [read({ credits: prices.replay }), 'sui_devInspectTransactionBlock sui_dryRunTransactionBlock'],
  [write, 'sui_executeTransactionBlock'],
  ...['Event', 'Transaction'].flatMap((of): MethodRow[] => [
    [
      opens({
        ...usualStream,
        names: 'number',
        tells: `suix_subscribe${of}`,
        closedBy: `suix_unsubscribe${of}`,
      }),
      `suix_subscribe${of}`,
    ],
    [closes(), `suix_unsubscribe${of}`],
  ]),
  [nodeControl, 'unsafe_*'],
])
