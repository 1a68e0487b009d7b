import * as z from 'zod/mini'

import { type ServiceFacts, logRanges, stateDepths } from './service-facts.ts'

/** What an operator declares of a node of a chain: it wins over what verifiers find out. */
export const DeclaredCapabilities = z
  .strictObject({
    archive: z.optional(z.boolean()), // whether it has the state of every block
    lowestBlock: z.optional(z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER))), // with state
    logRange: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000))), // blocks in one log query
  })
  .check(
    z.refine(({ archive, lowestBlock = 0 }) => archive !== true || lowestBlock === 0, {
      path: ['lowestBlock'],
      message: 'expected none where archive is true: such a node has the state of every block',
    }),
    z.refine(({ archive, lowestBlock }) => archive !== false || lowestBlock !== 0, {
      path: ['lowestBlock'],
      message: 'expected more than 0 where archive is false',
    }),
    z.meta({ id: 'DeclaredCapabilities' }),
  )
export type DeclaredCapabilities = z.infer<typeof DeclaredCapabilities>

export const capabilityContradictions = ['archive', 'lowestBlock', 'logRange'] as const
export type CapabilityContradiction = (typeof capabilityContradictions)[number]

/** What a node can be asked for, as far as it is declared or was found out. */
export interface NodeCapabilities {
  /** Whether it has the state of every block; null: nobody knows. */
  readonly archive: boolean | null
  /** The oldest block whose state it has for certain; null: nobody knows. */
  readonly lowestBlock: number | null
  /** Blocks that one log query may span at least; null: nobody knows. */
  readonly logRange: number | null
  readonly missingMethods: readonly string[]
  readonly clientVersion: string | null
  /** What is declared otherwise than verifiers found it. */
  readonly contradictions: readonly CapabilityContradiction[]
}

/** `height` is the newest block of the chain; null while nobody knows it. */
export function capabilitiesOf(
  declared: DeclaredCapabilities,
  facts: ServiceFacts | null,
  height: number | null,
): NodeCapabilities {
  const isArchive =
    declared.archive ?? (declared.lowestBlock === undefined ? null : declared.lowestBlock === 0)
  const archive = isArchive ?? foundArchive(facts)
  return {
    archive,
    lowestBlock: declared.lowestBlock ?? (archive === true ? 0 : foundLowest(facts, height)),
    logRange: declared.logRange ?? facts?.logRange ?? null,
    missingMethods: facts?.missingMethods ?? [],
    clientVersion: facts?.clientVersion ?? null,
    contradictions: contradictionsOf(declared, facts, height),
  }
}

const foundArchive = (facts: ServiceFacts | null): boolean | null =>
  facts?.stateDepth === undefined ? null : facts.stateDepth === null

function foundLowest(facts: ServiceFacts | null, height: number | null): number | null {
  const depth = facts?.stateDepth
  return depth === undefined || depth === null || height === null ? null : Math.max(0, height - depth)
}

/** Verifiers try few depths and ranges: what lies between the last that worked and the first that did not may be so. */
function contradictionsOf(
  { archive, lowestBlock, logRange }: DeclaredCapabilities,
  facts: ServiceFacts | null,
  height: number | null,
): CapabilityContradiction[] {
  const { logRange: foundRange } = facts ?? {}
  const depth = typeof facts?.stateDepth === 'number' ? facts.stateDepth : null
  const found = foundArchive(facts)
  const firstWithout = depth === null ? undefined : stateDepths.find((tried) => tried > depth)
  const isTooLow =
    lowestBlock !== undefined &&
    depth !== null &&
    (lowestBlock <= 1 ||
      (height !== null && firstWithout !== undefined && lowestBlock <= height - firstWithout))
  const tooLong = foundRange === undefined ? undefined : logRanges.find((range) => range > foundRange)
  const isTooLong = logRange !== undefined && tooLong !== undefined && logRange >= tooLong
  return [
    ...(archive !== undefined && found !== null && archive !== found ? (['archive'] as const) : []),
    ...(isTooLow ? (['lowestBlock'] as const) : []),
    ...(isTooLong ? (['logRange'] as const) : []),
  ]
}

/** Short words by which services are told apart: `archive`, `pruned`, `no debug_traceBlockByNumber`. */
export function labelsOf(
  { archive, missingMethods }: NodeCapabilities,
  { lowestBlock = 0 }: DeclaredCapabilities,
): string[] {
  const history = archive === null ? [] : [archive ? 'archive' : 'pruned']
  const lowest = lowestBlock > 0 ? [`from block ${lowestBlock.toLocaleString('en')}`] : []
  return [...history, ...lowest, ...missingMethods.map((method) => `no ${method}`)]
}
