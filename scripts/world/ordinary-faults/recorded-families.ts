import { join } from 'node:path'

import * as z from 'zod/mini'

import type { Family } from '../../../shared/chains.ts'
import { projectDir } from '../program.ts'
import type { Recording } from '../replay-node.ts'

/** The newest block of a chain. */
export interface RecordedHead {
  readonly height: number
  readonly timeMs: number
}

/** One value of an answer that changes with each block: where it is in the recording, and what it is. */
type Change = readonly [path: readonly string[], valueAt: (head: RecordedHead) => unknown]

/** A family of which nobody packages a node: its answers were recorded, and its head goes on. */
export interface RecordedFamily {
  readonly family: Family
  /** Of the chains that are built in. */
  readonly chain: string
  readonly blockMs: number
  readonly changes: readonly Change[]
  /** Further answers, whose addresses name the block. */
  readonly answersOf?: (recording: Recording, head: RecordedHead) => Recording
  /** When the first slot was, epoch ms; for families that tell a slot and no time. */
  readonly genesisMs?: number
}

const height = (head: RecordedHead): number => head.height
const heightText = (head: RecordedHead): string => String(head.height)
const heightHex = (head: RecordedHead): string => `0x${head.height.toString(16)}`
const seconds = ({ timeMs }: RecordedHead): number => Math.floor(timeMs / 1000)
const milliseconds = ({ timeMs }: RecordedHead): string => String(timeMs)
const dateText = ({ timeMs }: RecordedHead): string => new Date(timeMs).toISOString()

/** SCALE's u64: eight bytes, the lowest first. */
function scaleU64({ timeMs }: RecordedHead): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(timeMs))
  return `0x${bytes.toString('hex')}`
}

const beaconGenesisMs = 1_606_824_023_000
/** The XRP Ledger counts seconds from the beginning of 2000. */
const rippleEpochSec = 946_684_800
const cosmosBlock = '/cosmos/base/tendermint/v1beta1/blocks/latest'
const tronBlock = ['/wallet/getblock', 'block_header', 'raw_data']
const tezosHeader = '/chains/main/blocks/head/header'
const algorandBlock = '/v2/blocks/51234567'

export const recordedFamilies: readonly RecordedFamily[] = [
  {
    family: 'solana',
    chain: 'solana',
    blockMs: 400,
    changes: [
      [['getEpochInfo', 'absoluteSlot'], height],
      [['getBlockTime'], seconds],
    ],
  },
  {
    family: 'near',
    chain: 'near',
    blockMs: 1_000,
    changes: [
      [['status', 'sync_info', 'latest_block_height'], height],
      [['status', 'sync_info', 'latest_block_time'], dateText],
    ],
  },
  {
    family: 'cosmos',
    chain: 'osmosis',
    blockMs: 1_500,
    changes: [
      [['/status', 'result', 'sync_info', 'latest_block_height'], heightText],
      [['/status', 'result', 'sync_info', 'latest_block_time'], dateText],
    ],
  },
  {
    family: 'cosmos-rest',
    chain: 'cosmoshub',
    blockMs: 6_000,
    changes: [
      [[cosmosBlock, 'block', 'header', 'height'], heightText],
      [[cosmosBlock, 'block', 'header', 'time'], dateText],
    ],
  },
  {
    family: 'filecoin',
    chain: 'filecoin',
    blockMs: 30_000,
    changes: [
      [['Filecoin.ChainHead', 'Height'], height],
      [['Filecoin.ChainHead', 'Blocks', '0', 'Timestamp'], seconds],
      [['Filecoin.ChainHead', 'Blocks', '1', 'Timestamp'], seconds],
    ],
  },
  {
    family: 'starknet',
    chain: 'starknet',
    blockMs: 2_000,
    changes: [
      [['starknet_getBlockWithTxHashes', 'block_number'], height],
      [['starknet_getBlockWithTxHashes', 'timestamp'], seconds],
    ],
  },
  {
    family: 'substrate',
    chain: 'polkadot',
    blockMs: 6_000,
    changes: [
      [['chain_getHeader', 'number'], heightHex],
      [['state_getStorage'], scaleU64],
    ],
  },
  {
    family: 'beacon',
    chain: 'ethereum-beacon',
    blockMs: 12_000,
    genesisMs: beaconGenesisMs,
    changes: [[['/eth/v1/beacon/headers/head', 'data', 'header', 'message', 'slot'], heightText]],
  },
  {
    family: 'aptos',
    chain: 'aptos',
    blockMs: 100,
    changes: [
      [['/v1', 'block_height'], heightText],
      [['/v1', 'ledger_timestamp'], (head) => `${milliseconds(head)}000`],
    ],
  },
  {
    family: 'sui',
    chain: 'sui',
    blockMs: 250,
    changes: [
      [['sui_getCheckpoints', 'data', '0', 'sequenceNumber'], heightText],
      [['sui_getCheckpoints', 'data', '0', 'timestampMs'], milliseconds],
    ],
  },
  {
    family: 'tron',
    chain: 'tron',
    blockMs: 3_000,
    changes: [
      [[...tronBlock, 'number'], height],
      [[...tronBlock, 'timestamp'], ({ timeMs }) => timeMs],
    ],
  },
  {
    family: 'ton',
    chain: 'ton',
    blockMs: 1_000,
    changes: [
      [['/getMasterchainInfo', 'result', 'last', 'seqno'], height],
      [['/getBlockHeader', 'result', 'id', 'seqno'], height],
      [['/getBlockHeader', 'result', 'gen_utime'], seconds],
    ],
  },
  {
    family: 'xrpl',
    chain: 'xrpl',
    blockMs: 4_000,
    changes: [
      [['ledger', 'ledger_index'], height],
      [['ledger', 'ledger', 'close_time'], (head) => seconds(head) - rippleEpochSec],
    ],
  },
  {
    family: 'stellar',
    chain: 'stellar',
    blockMs: 5_000,
    changes: [
      [['/', 'history_latest_ledger'], height],
      [['/', 'history_latest_ledger_closed_at'], dateText],
    ],
  },
  {
    family: 'algorand',
    chain: 'algorand',
    blockMs: 2_800,
    changes: [
      [['/v2/status', 'last-round'], height],
      [[algorandBlock, 'block', 'rnd'], height],
      [[algorandBlock, 'block', 'ts'], seconds],
    ],
    // Between the two requests of a probe the next block may come.
    answersOf: (recording, head) => ({
      [`/v2/blocks/${head.height}`]: recording[algorandBlock],
      [`/v2/blocks/${head.height - 1}`]: recording[algorandBlock],
    }),
  },
  {
    family: 'tezos',
    chain: 'tezos',
    blockMs: 6_000,
    changes: [
      [[tezosHeader, 'level'], height],
      [[tezosHeader, 'timestamp'], dateText],
    ],
  },
  {
    family: 'cardano',
    chain: 'cardano',
    blockMs: 20_000,
    changes: [
      [['/blocks/latest', 'height'], height],
      [['/blocks/latest', 'time'], seconds],
    ],
  },
]

/** Where litecoind is not installed, the Bitcoin family is recorded, too. */
export const recordedBitcoin: RecordedFamily = {
  family: 'bitcoin',
  chain: 'litecoin',
  blockMs: 5_000,
  changes: [
    [['getblockchaininfo', 'blocks'], height],
    [['getblockchaininfo', 'time'], seconds],
  ],
}

/** A subgraph that has indexed a block. */
export const subgraphChanges: readonly Change[] = [
  [['graphql', 'data', '_meta', 'block', 'number'], height],
  [['graphql', 'data', '_meta', 'block', 'timestamp'], seconds],
]

const Fixture = z.object({
  chainId: z.nullable(z.union([z.int(), z.string()])),
  answers: z.record(z.string(), z.unknown()),
  head: z.nullable(z.object({ height: z.int() })),
  wrongChain: z.nullable(z.record(z.string(), z.unknown())),
})
export type Fixture = z.infer<typeof Fixture>

/** Reads what a node of a family answered, as the tests of the probes have it. */
export async function readFixture(family: Family): Promise<Fixture> {
  const path = join(projectDir, 'server/verifier/probes/fixtures', `${family}.json`)
  return Fixture.parse(await Bun.file(path).json())
}

/** Returns the recording with these values. */
export function withChanges(recording: Recording, changes: readonly Change[], head: RecordedHead): Recording {
  const changed: unknown = changes.reduce<unknown>(
    (value, [path, valueAt]) => replaceAt(value, path, valueAt(head)),
    recording,
  )
  return z.record(z.string(), z.unknown()).parse(changed)
}

function replaceAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return replacement
  if (Array.isArray(value)) return value.with(Number(key), replaceAt(value[Number(key)], rest, replacement))
  const record = z.record(z.string(), z.unknown()).parse(value)
  return { ...record, [key]: replaceAt(record[key], rest, replacement) }
}
