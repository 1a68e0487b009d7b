import type { Family } from '../../../shared/chains.ts'
import { bitcoinProbe } from './bitcoin.ts'
import { createCallTogether } from './call-together.ts'
import { cosmosProbe } from './cosmos.ts'
import { createEvmProbe } from './evm.ts'
import { createFilecoinProbe } from './filecoin.ts'
import { httpProbe } from './http.ts'
import { createMcpProbe } from './mcp.ts'
import { nearProbe } from './near.ts'
import type { Probe } from './probe.ts'
import { solanaProbe } from './solana.ts'
import { createStarknetProbe } from './starknet.ts'
import { subgraphProbe } from './subgraph.ts'
import { createSubstrateProbe } from './substrate.ts'

/** How each family is asked. Some probes remember what an endpoint takes, so that one verifier has one such set. */
export function createProbes(): Readonly<Record<Family, Probe>> {
  const callTogether = createCallTogether()
  return {
    evm: createEvmProbe(callTogether),
    solana: solanaProbe,
    bitcoin: bitcoinProbe,
    filecoin: createFilecoinProbe(callTogether),
    cosmos: cosmosProbe,
    near: nearProbe,
    starknet: createStarknetProbe(callTogether),
    substrate: createSubstrateProbe(callTogether),
    subgraph: subgraphProbe,
    http: httpProbe,
    mcp: createMcpProbe(),
  }
}
