import type { MethodFacts } from '../methods/method-facts.ts'
import type { ParsedCall } from '../request/parsed-call.ts'
import { type KnownTips, prepareCall } from '../tip/prepare-call.ts'

const blocksOfPrice = 1_000

/**
 * Returns the facts of a method with the price of one call for logs: blocks after the first thousand cost more. A range that
 * ends with a tag is only measured while it is known what the tag stands for.
 */
export function withBlocks(
  call: Pick<ParsedCall, 'method' | 'params'>,
  facts: MethodFacts,
  heights: Pick<KnownTips, 'height'>,
): MethodFacts {
  if (facts.blockUse === null) return facts
  const { height } = heights
  const { range } = prepareCall(call, facts.blockUse, { height, freshHeight: height })
  const blocks = range === null ? 0 : range.to - range.from + 1
  const thousands = Math.max(0, Math.ceil(blocks / blocksOfPrice) - 1)
  return { ...facts, credits: facts.credits + thousands * facts.blocksPrice }
}
