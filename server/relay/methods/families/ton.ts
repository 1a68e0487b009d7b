import { createMethodTable, prices, read, write } from '../method-table.ts'

/** Source: TON Center's HTTP API v2, whose `jsonRPC` takes them; as in drpcorg/nodecore (pkg/methods/specs/ton-http-v2.json). */
export const tonMethods = createMethodTable([
  [
    read(),
    `getAddressInformation getExtendedAddressInformation getWalletInformation getAddressBalance getAddressState
    packAddress unpackAddress detectAddress detectHash getTokenData getMasterchainInfo getMasterchainBlockSignatures
    getShardBlockProof getConsensusBlock lookupBlock shards getShards getBlockHeader getOutMsgQueueSizes
    getBlockTransactions getBlockTransactionsExt getConfigParam getConfigAll getLibraries estimateFee`,
  ],
  [read({ credits: prices.search }), 'getTransactions tryLocateTx tryLocateResultTx tryLocateSourceTx'],
  [read({ credits: prices.replay }), 'runGetMethod'],
  [write, 'sendBoc sendBocReturnHash sendQuery'],
])
