import type { Family } from '../../../shared/chains.ts'
import { algorandProbe } from './algorand.ts'
import { aptosProbe } from './aptos.ts'
import { createBeaconProbe } from './beacon.ts'
import { bitcoinProbe } from './bitcoin.ts'
import { createCallTogether } from './call-together.ts'
import { createCardanoProbe } from './cardano.ts'
import { cosmosRestProbe } from './cosmos-rest.ts'
import { cosmosProbe } from './cosmos.ts'
import { createEvmProbe } from './evm.ts'
import { createFilecoinProbe } from './filecoin.ts'
import { createHttpProbe } from './http.ts'
import { createMcpProbe } from './mcp.ts'
import { nearProbe } from './near.ts'
import type { Probe } from './probe.ts'
import { solanaProbe } from './solana.ts'
import { createStarknetProbe } from './starknet.ts'
import { subgraphProbe } from './subgraph.ts'
import { createStellarProbe } from './stellar.ts'
import { createSubstrateProbe } from './substrate.ts'
import { createSuiProbe } from './sui.ts'
import { tezosProbe } from './tezos.ts'
import { tonProbe } from './ton.ts'
import { tronProbe } from './tron.ts'
import { xrplProbe } from './xrpl.ts'

/** How each family is asked. Some probes remember what an endpoint takes, so that one verifier has one such set. */
export function createProbes(): Readonly<Record<Family, Probe>> {
  const callTogether = createCallTogether()
  return {
    evm: createEvmProbe(callTogether),
    solana: solanaProbe,
    bitcoin: bitcoinProbe,
    filecoin: createFilecoinProbe(callTogether),
    cosmos: cosmosProbe,
    'cosmos-rest': cosmosRestProbe,
    near: nearProbe,
    starknet: createStarknetProbe(callTogether),
    substrate: createSubstrateProbe(callTogether),
    beacon: createBeaconProbe(),
    aptos: aptosProbe,
    sui: createSuiProbe(callTogether),
    tron: tronProbe,
    ton: tonProbe,
    xrpl: xrplProbe,
    stellar: createStellarProbe(callTogether),
    algorand: algorandProbe,
    tezos: tezosProbe,
    cardano: createCardanoProbe(),
    subgraph: subgraphProbe,
    http: createHttpProbe(),
    mcp: createMcpProbe(),
  }
}
