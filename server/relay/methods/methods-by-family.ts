import type { Family } from '../../../shared/chains.ts'
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
import { tonMethods } from './families/ton.ts'
import { xrplMethods } from './families/xrpl.ts'
import { createMethodTable, type MethodTable } from './method-table.ts'

/** Families whose nodes are not called by JSON-RPC have no methods: what is called there is unknown. */
const none = createMethodTable([])

export const methodsByFamily: Readonly<Record<Family, MethodTable>> = {
  evm: evmMethods,
  solana: solanaMethods,
  bitcoin: bitcoinMethods,
  filecoin: filecoinMethods,
  cosmos: cosmosMethods,
  near: nearMethods,
  starknet: starknetMethods,
  substrate: substrateMethods,
  sui: suiMethods,
  tron: evmMethods, // its nodes answer a part of Ethereum's methods
  ton: tonMethods,
  xrpl: xrplMethods,
  stellar: stellarMethods,
  'cosmos-rest': none,
  beacon: none,
  aptos: none,
  algorand: none,
  tezos: none,
  cardano: none,
  subgraph: none,
  http: none,
  mcp: none,
}
