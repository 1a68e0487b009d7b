import type { ErrorRules } from './error-rules.ts'

const agave = 'Agave 3.0, rpc-client-api/src/custom_error.rs (eRPC, architecture/svm/error_normalizer.go)'

export const solanaRules: readonly ErrorRules[] = [
  {
    class: 'missing-data',
    source: `${agave}: a transaction on a block that the node does not have yet. Simulated only, so never sent on`,
    texts: ['blockhash not found'],
  },
  {
    class: 'answer',
    source: `${agave}: verdicts about the transaction or the request`,
    codes: [-32_002, -32_003, -32_006, -32_013, -32_015, -32_017, -32_018],
  },
  {
    class: 'missing-data',
    source: `${agave}: pruned, not there yet, not indexed`,
    codes: [-32_001, -32_004, -32_007, -32_008, -32_009, -32_010, -32_011, -32_014, -32_016],
  },
  {
    class: 'node-failure',
    source: `${agave}: node unhealthy, storage unreachable`,
    codes: [-32_005, -32_019],
  },
  { class: 'call-failure', source: `${agave}: scan aborted by a new root`, codes: [-32_012] },
  {
    class: 'missing-data',
    source: 'proxies that drop the code (eRPC, architecture/svm/error_normalizer.go)',
    texts: ['missing in long-term storage', 'ledger jump'],
  },
  {
    class: 'answer',
    source: 'eRPC, architecture/svm/error_normalizer.go',
    texts: ['preflight', 'transaction simulation failed'],
    patterns: [/invalid.*(?:signature|transaction|instruction)/],
  },
  {
    class: 'node-failure',
    source: 'nodecore, pkg/errors_config/errors.yaml',
    patterns: [/is behind by \d+ slots/],
  },
  {
    class: 'missing-data',
    source: 'nodecore, pkg/errors_config/errors.yaml',
    texts: [
      'cleaned up, does not exist on node',
      'block not available for slot',
      'excluded from account secondary indexes',
    ],
  },
]

const bitcoind = 'Bitcoin Core 29, src/rpc/protocol.h'

export const bitcoinRules: readonly ErrorRules[] = [
  {
    class: 'missing-data',
    source: 'Bitcoin Core 29, src/rpc/blockchain.cpp and rawtransaction.cpp',
    texts: [
      'block not found',
      'block hash not found',
      'block not available',
      'block height out of range',
      'use -txindex',
      'no such mempool or blockchain transaction',
      'no such transaction found in the provided block',
      'transaction not yet in block',
      'transaction not in mempool',
    ],
    patterns: [/target block height \d+ after current tip/],
  },
  {
    class: 'answer',
    source:
      'Bitcoin Core 29 and Litecoin Core 0.21 under -1: the usage for wrong parameters, types, short data',
    texts: ['json value is not ', 'json value of type ', '::read(): end of data'],
    patterns: [/^[a-z]+(?: [^\n]*)?\n\n/],
  },
  {
    class: 'node-failure',
    source: `${bitcoind}: warming up, initial download, not connected`,
    codes: [-28, -10, -9],
  },
  { class: 'node-failure', source: `${bitcoind}: out of memory, database`, codes: [-7, -20] },
  { class: 'unsupported', source: `${bitcoind}: deprecated`, codes: [-32] },
  {
    class: 'unsupported',
    source: 'Bitcoin Core 29 without a wallet or an index',
    texts: ['index is not enabled', 'wallet is disabled'],
  },
  {
    class: 'answer',
    source: `${bitcoind}: type, address, parameter, decoding, verdicts about transactions`,
    codes: [-3, -5, -8, -22, -25, -26, -27],
  },
  { class: 'answer', source: `${bitcoind}: wallet`, codes: [-4, -6, -13, -14, -18] },
]

export const cosmosRules: readonly ErrorRules[] = [
  {
    class: 'missing-data',
    source: 'CometBFT 1.0, rpc/core, all under -32603',
    texts: [
      'must be less than or equal to the current blockchain height',
      'lowest height is',
      'could not find results for height',
      'no commit at height',
    ],
    patterns: [/tx \([0-9a-f]+\) not found/, /block at height \d+ not found/],
  },
  {
    class: 'unsupported',
    source: 'CometBFT 1.0, rpc/core/tx.go',
    texts: ['transaction indexing is disabled'],
  },
  {
    class: 'answer',
    source: 'CometBFT 1.0, mempool/errors.go',
    texts: ['tx already exists in cache', 'tx too large'],
  },
  { class: 'call-failure', source: 'CometBFT 1.0, mempool/errors.go', texts: ['mempool is full'] },
  {
    class: 'answer',
    source: 'CometBFT 1.0, rpc/core/env.go',
    texts: ['page should be within', 'height must be greater than 0'],
  },
  { class: 'call-failure', source: 'CometBFT 1.0, rpc/jsonrpc: any error of a handler', codes: [-32_603] },
]

const near = 'NEAR, errors of the RPC documentation'

export const nearRules: readonly ErrorRules[] = [
  {
    class: 'missing-data',
    source: near,
    texts: [
      'unknown_block',
      'garbage_collected_block',
      'unavailable_shard',
      'unknown_chunk',
      'unknown_epoch',
      'unknown_transaction',
      'unknown_receipt',
    ],
  },
  { class: 'node-failure', source: near, texts: ['no_synced_blocks', 'not_synced_yet'] },
  { class: 'call-failure', source: near, texts: ['timeout_error', 'too_large_contract_state'] },
  {
    class: 'answer',
    source: near,
    texts: [
      'unknown_account',
      'invalid_account',
      'unknown_access_key',
      'no_contract_code',
      'contract_execution_error',
      'invalid_transaction',
      'request_validation_error',
    ],
  },
  { class: 'node-failure', source: near, texts: ['internal_error'] },
]

const starknet = 'Starknet 0.9, starknet_api_openrpc.json'

export const starknetRules: readonly ErrorRules[] = [
  { class: 'missing-data', source: `${starknet}: block, transaction, no blocks`, codes: [24, 29, 32] },
  { class: 'call-failure', source: `${starknet}: no trace, pending transactions`, codes: [10, 38] },
  { class: 'unsupported', source: `${starknet}: storage proof, version`, codes: [42, 61, 62] },
  {
    class: 'answer',
    source: `${starknet}: contract, class, index, filter, execution`,
    codes: [1, 20, 21, 27, 28, 31, 33, 34, 40, 41],
  },
  {
    class: 'answer',
    source: `${starknet}: transactions that are refused`,
    codes: [51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 64],
  },
]

export const substrateRules: readonly ErrorRules[] = [
  {
    class: 'missing-data',
    source: 'polkadot-sdk, client/api and client/rpc',
    texts: [
      'unknownblock',
      'unknown block',
      'header was not found',
      'state already discarded',
      'block not found',
    ],
  },
  {
    class: 'unsupported',
    source: 'polkadot-sdk, client/rpc-api/src/policy.rs',
    texts: ['unsafe to be called externally'],
  },
  {
    class: 'answer',
    source: 'polkadot-sdk, client/rpc-api/src/author/error.rs',
    codes: [1_010, 1_011, 1_012, 1_013, 1_014, 1_015, 1_017],
  },
  {
    class: 'call-failure',
    source: 'polkadot-sdk, client/rpc-api/src/author/error.rs: the pool is full',
    codes: [1_016],
  },
  { class: 'call-failure', source: 'jsonrpsee 0.24: request or response too big', codes: [-32_007, -32_008] },
  {
    class: 'limit',
    source: 'jsonrpsee 0.24: server is busy, too many subscriptions',
    codes: [-32_009, -32_006],
  },
]

export const filecoinRules: readonly ErrorRules[] = [
  { class: 'answer', source: 'Lotus 1.33, api/api_errors.go', texts: ['actor not found', 'null round'] },
  {
    class: 'missing-data',
    source: 'nodecore, pkg/errors_config/errors.yaml',
    texts: ['event index failed to index tipset', 'failed to load state tree'],
  },
]
