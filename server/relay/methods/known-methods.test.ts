import { describe, expect, test } from 'bun:test'

import { families, type Family } from '../../../shared/chains.ts'
import type { MethodRules } from '../../../shared/endpoints.ts'
import { createMethodAccess } from '../../../shared/method-access.ts'
import { builtInPricesOf, groupOf, knownMethodsOf } from './known-methods.ts'
import { isRestricted } from './method-table.ts'
import { methodTableOf } from './methods-by-family.ts'

const accessAt = (family: Family, rules: Partial<MethodRules>) => {
  const accessTo = createMethodAccess({ allow: [], deny: [], unknown: 'refuse', ...rules })
  return (method: string) => accessTo(method, groupOf(methodTableOf(family).find(method)))
}

/** A beginning of names stands for any method that begins like it. */
const named = (entry: string): string => entry.replace('*', 'AnythingAtAll')

describe.each(families.filter((family) => methodTableOf(family).methods.size > 0))(
  'each method of the family %s',
  (family) => {
    const { ordinary, nodeControl, keyUse } = knownMethodsOf(family)
    const restricted = [...nodeControl, ...keyUse].map(named)

    test('that is ordinary is open where nothing is set', () => {
      const accessTo = accessAt(family, {})
      expect(ordinary.filter((method) => accessTo(method) !== 'allowed')).toEqual([])
      expect(ordinary.length).toBeGreaterThan(10)
    })

    test('that controls the node or uses its keys is refused, whatever the patterns', () => {
      const prefixes = restricted.map((method) => `${method.slice(0, 3)}*`)
      const settings = [{}, { allow: ['*'] }, { allow: prefixes }, { unknown: 'allow' as const }]
      for (const rules of settings) {
        const accessTo = accessAt(family, rules)
        expect(restricted.filter((method) => accessTo(method) === 'allowed')).toEqual([])
      }
    })

    test('that is restricted is opened by its exact name, alone', () => {
      for (const method of restricted) {
        const accessTo = accessAt(family, { allow: ['*', method] })
        expect(restricted.filter((other) => accessTo(other) === 'allowed')).toEqual([method])
      }
    })

    test('is in one group', () => {
      const all = [...ordinary, ...nodeControl, ...keyUse]
      const { methods, prefixes } = methodTableOf(family)
      expect(new Set(all)).toEqual(new Set([...methods.keys(), ...prefixes.keys()]))
      expect(all).toHaveLength(new Set(all).size)
    })
  },
)

test.each([
  ['evm', 'personal_sign eth_sign eth_signTypedData_v4 eth_signTransaction eth_sendTransaction eth_accounts'],
  ['evm', 'admin_addPeer admin_nodeInfo miner_start engine_newPayloadV4 clique_propose debug_setHead'],
  ['evm', 'debug_chaindbCompact debug_freeOSMemory debug_someFutureMethod txpool_content txpool_inspect'],
  ['evm', 'anvil_setBalance anvil_impersonateAccount hardhat_reset evm_mine evm_snapshot evm_revert'],
  ['bitcoin', 'stop importprivkey dumpprivkey dumpwallet walletpassphrase sendtoaddress getnewaddress'],
  ['bitcoin', 'generatetoaddress addnode setban invalidateblock signrawtransactionwithkey encryptwallet'],
  ['substrate', 'author_insertKey author_rotateKeys author_removeExtrinsic system_addReservedPeer'],
  ['substrate', 'system_removeReservedPeer offchain_localStorageSet personal_sign eth_sendTransaction'],
  ['cosmos', 'unsafe_flush_mempool unsafe_start_cpu_profiler dial_peers dial_seeds personal_sign'],
  ['filecoin', 'Filecoin.WalletExport Filecoin.WalletSign Filecoin.WalletNew Filecoin.MpoolPushMessage'],
  [
    'filecoin',
    'Filecoin.NetConnect Filecoin.Shutdown Filecoin.AuthNew Filecoin.EthAccounts Filecoin.SyncMarkBad',
  ],
  ['near', 'adv_disable_header_sync sandbox_patch_state'],
  ['starknet', 'devnet_mint devnet_setTime'],
  ['solana', 'surfnet_setAccount'],
  ['sui', 'unsafe_transferSui'],
] satisfies [Family, string][])('of %s, %s are refused', (family, names) => {
  const accessTo = accessAt(family, { allow: ['*'], unknown: 'allow' })
  expect(names.split(' ').filter((method) => accessTo(method) === 'allowed')).toEqual([])
})

test.each([
  [
    'evm',
    'eth_sendRawTransaction txpool_status debug_traceTransaction eth_newFilter eth_subscribe rpc_modules',
  ],
  ['bitcoin', 'sendrawtransaction getblock estimatesmartfee testmempoolaccept'],
  ['substrate', 'author_submitExtrinsic author_submitAndWatchExtrinsic author_pendingExtrinsics eth_call'],
  ['filecoin', 'Filecoin.MpoolPush Filecoin.WalletBalance Filecoin.ChainHead Filecoin.EthSendRawTransaction'],
  ['solana', 'sendTransaction accountSubscribe'],
] satisfies [Family, string][])('of %s, %s are open', (family, names) => {
  const accessTo = accessAt(family, {})
  expect(names.split(' ').filter((method) => accessTo(method) !== 'allowed')).toEqual([])
})

test('only methods that cost more than others have a price of their own', () => {
  expect(builtInPricesOf('evm')).toMatchObject({ eth_getLogs: 60, debug_traceTransaction: 100 })
  expect(Object.keys(builtInPricesOf('evm'))).not.toContain('eth_call')
  for (const method of Object.keys(builtInPricesOf('evm'))) {
    expect(isRestricted(methodTableOf('evm').find(method)?.kind ?? 'none')).toBe(false)
  }
})
