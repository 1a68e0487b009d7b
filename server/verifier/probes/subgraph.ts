import * as z from 'zod/mini'

import { readAs } from './answer.ts'
import { HexHash, hash8OfHex } from './block-hash.ts'
import { postJson } from './json-rpc.ts'
import { type Probe, ProbeFailure } from './probe.ts'
import { NumberQuantity } from './quantities.ts'

const query = '{ _meta { block { number timestamp hash } hasIndexingErrors } }'

const Answer = z.object({
  data: z.object({
    _meta: z.object({
      block: z.object({
        number: NumberQuantity,
        timestamp: z.nullable(NumberQuantity),
        hash: z.nullable(HexHash),
      }),
      hasIndexingErrors: z.boolean(),
    }),
  }),
})

/**
 * The block up to which the subgraph has indexed; older versions of graph-node tell no time of it. `hasIndexingErrors` makes the answer a failure: graph-node then
 * refuses every query that does not opt in to wrong results (`subgraphError: allow`), or has stopped indexing.
 */
export const subgraphProbe: Probe = {
  async head(target, _chain, exchange) {
    const { _meta: meta } = readAs(Answer, await postJson(target, { query }, exchange)).data
    if (meta.hasIndexingErrors) throw new ProbeFailure('RPC_ERROR')
    const { number, timestamp, hash } = meta.block
    const head = { height: number, timestamp, hash8: hash === null ? null : hash8OfHex(hash) }
    return { ok: true, head, error: null }
  },
}
