import { type Family, type JsonRpcFamily, takesJsonRpc } from '../../../shared/chains.ts'
import { bitcoinMethods } from './families/bitcoin.ts'
import { cosmosMethods } from './families/cosmos.ts'
import { evmMethods } from './families/evm.ts'
import { filecoinMethods } from './families/filecoin.ts'
import { nearMethods } from './families/near.ts'
import { solanaMethods } from './families/solana.ts'
import { starknetMethods } from './families/starknet.ts'
import { stellarMethods } from './families/stellar.ts'
import { substrateMethods } from './families/substrate.ts'
import { suiMethods } from './families/sui.ts'
import { createMethodTable, type MethodTable } from './method-table.ts'

const methodTables: Readonly<Record<JsonRpcFamily, MethodTable>> = {
  evm: evmMethods,
  solana: solanaMethods,
  bitcoin: bitcoinMethods,
  filecoin: filecoinMethods,
  cosmos: cosmosMethods,
  near: nearMethods,
  starknet: starknetMethods,
  substrate: substrateMethods,
  sui: suiMethods,
  stellar: stellarMethods,
}

const none = createMethodTable([])

/** Of a family whose nodes are called by paths there are no methods: what is called there is unknown. */
export const methodTableOf = (family: Family): MethodTable =>
  takesJsonRpc(family) ? methodTables[family] : none
