import * as z from 'zod/mini'

import type { Target } from '../../../shared/verifier-protocol.ts'
import { readAs } from './answer.ts'
import { TextHash, hash8OfText } from './block-hash.ts'
import type { CallTogether } from './call-together.ts'
import { compareChain } from './chain-identity.ts'
import { callOne, postJson } from './json-rpc.ts'
import { type Probe, type ProbeExchange, ProbeFailure } from './probe.ts'
import { DecimalQuantity, MillisecondsText, Rfc3339Seconds } from './quantities.ts'

/** Heights are checkpoints. Numbers are decimal text; older nodes wrote them as numbers. */
const Checkpoint = z.object({
  sequenceNumber: DecimalQuantity,
  digest: TextHash,
  timestampMs: MillisecondsText,
})
const Newest = z.object({ data: z.tuple([Checkpoint], z.unknown()) })
const Digest = z.object({ digest: TextHash })

const GraphQlHead = z.object({
  data: z.object({
    chainIdentifier: z.string(),
    checkpoint: z.object({ sequenceNumber: DecimalQuantity, digest: TextHash, timestamp: Rfc3339Seconds }),
  }),
})
const GraphQlDigest = z.object({ data: z.object({ checkpoint: z.nullable(Digest) }) })

/** JSON-RPC, or GraphQL where the address ends in `/graphql`: full nodes are to serve the latter only. */
export function createSuiProbe(callTogether: CallTogether): Probe {
  return {
    async head(target, chain, exchange) {
      const { chainId, checkpoint } = isGraphQl(target)
        ? await graphQlHead(target, exchange)
        : await jsonRpcHead(target, callTogether, exchange)
      const { height, timestamp, digest } = checkpoint
      const head = { height, timestamp, hash8: hash8OfText(digest) }
      return { ok: true, head, ...compareChain(chainId, chain) }
    },

    async hashAt(target, height, exchange) {
      if (!isGraphQl(target)) {
        const call = { method: 'sui_getCheckpoint', params: [String(height)] }
        return hash8OfText(readAs(Digest, await callOne(target, call, exchange)).digest)
      }
      const query = `{ checkpoint(sequenceNumber: ${height}) { digest } }`
      const { checkpoint } = readAs(GraphQlDigest, await postJson(target, { query }, exchange)).data
      return checkpoint === null ? null : hash8OfText(checkpoint.digest)
    },
  }
}

const isGraphQl = (target: Target): boolean => /\/graphql\/?$/.test(new URL(target.endpoint).pathname)

async function jsonRpcHead(target: Target, callTogether: CallTogether, exchange: ProbeExchange) {
  const [identifier, page] = await callTogether(
    target,
    [
      { method: 'sui_getChainIdentifier', params: [] },
      { method: 'sui_getCheckpoints', params: [null, 1, true] },
    ],
    exchange,
  )
  const [newest] = readAs(Newest, page).data
  const { sequenceNumber: height, timestampMs: timestamp, digest } = newest
  return { chainId: readAs(z.string(), identifier), checkpoint: { height, timestamp, digest } }
}

const headQuery = '{ chainIdentifier checkpoint { sequenceNumber digest timestamp } }'

async function graphQlHead(target: Target, exchange: ProbeExchange) {
  const answer = await postJson(target, { query: headQuery }, exchange)
  const { chainIdentifier, checkpoint } = readAs(GraphQlHead, answer).data
  const { sequenceNumber: height, timestamp, digest } = checkpoint
  if (chainIdentifier === '') throw new ProbeFailure('RPC_ERROR')
  return { chainId: chainIdentifier, checkpoint: { height, timestamp, digest } }
}
