import * as z from 'zod/mini'

import type { ServiceFacts } from '../../../shared/service-facts.ts'
import type { Target } from '../../../shared/verifier-protocol.ts'
import { type ProbeExchange, ProbeFailure } from './probe.ts'
import { DecimalQuantity } from './quantities.ts'
import { getJson } from './rest.ts'

const Version = z.object({ data: z.object({ version: z.string().check(z.minLength(1)) }) })
const Syncing = z.object({ data: z.object({ sync_distance: DecimalQuantity, is_syncing: z.boolean() }) })
const Peers = z.object({ data: z.object({ connected: DecimalQuantity }) })
const Finality = z.object({ data: z.object({ finalized: z.object({ epoch: DecimalQuantity }) }) })

const slotsPerEpoch = 32

/** Version, sync distance, peers and finality, as far as the endpoint serves them. */
export async function findBeaconFacts(
  target: Target,
  height: number,
  exchange: ProbeExchange,
  found: (facts: ServiceFacts) => void,
): Promise<void> {
  async function read<Schema extends z.ZodMiniType>(schema: Schema, path: string) {
    try {
      return schema.safeParse(await getJson(target, path, exchange)).data
    } catch (error) {
      if (error instanceof ProbeFailure && error.error !== 'TIMEOUT') return undefined
      throw error
    }
  }
  const version = await read(Version, '/eth/v1/node/version')
  if (version) found({ clientVersion: version.data.version.replace(/[^\x20-\x7e]/g, '').slice(0, 200) })
  const syncing = await read(Syncing, '/eth/v1/node/syncing')
  if (syncing) found({ isSyncing: syncing.data.is_syncing, syncDistance: syncing.data.sync_distance })
  const peers = await read(Peers, '/eth/v1/node/peer_count')
  if (peers) found({ peers: peers.data.connected })
  const finality = await read(Finality, '/eth/v1/beacon/states/head/finality_checkpoints')
  if (finality) found({ finalizedLag: Math.max(0, height - finality.data.finalized.epoch * slotsPerEpoch) })
}
