/** Why a node did not answer a call for logs that is right in itself: it wants fewer blocks at a time. */
export interface LogLimit {
  /** How many blocks it answers; null where it does not say. */
  readonly blocks: number | null
  /** Whether it never answers more at a time; else so many are what fits this one call, as with a limit of the results. */
  readonly isBound: boolean
}

/** Alchemy, dRPC, Infura, QuickNode, Ankr, BlockPI, NodeReal, Chainstack, Reth, Erigon, Besu, Nethermind, Arbitrum, zkSync. */
const tooMany =
  /block range|ranges? over [\d,]+ blocks|query timeout exceeded|range (?:is )?too (?:large|wide|big)|too (?:large|wide|big) (?:a )?range|exceeds the range|max(?:imum)? (?:block )?range|limited to a? ?(?:block range )?[\d,]+|more than [\d,]+ (?:results|logs|blocks)|returned more than|max(?:imum)? results|too many (?:results|logs|blocks)|response size (?:exceeded|should not)|response (?:is )?too (?:large|big)|logs over more|limit the query to|exceeds limit of [\d,]+|blocks distance|try paginating/i

/** It is about blocks that a node does not have, which fewer blocks would not change. */
const beyondHead = /beyond (?:the )?(?:current )?head|in the future|invalid block range params/i

/** Of a call with fewer results it would answer more blocks. */
const aboutResults =
  /results|response size|response (?:is )?too (?:large|big)|query exceeds limit of|query timeout exceeded/i

const proposedHex = /\[\s*0x([0-9a-f]{1,13})\s*,\s*0x([0-9a-f]{1,13})\s*\]/i
const proposedDecimal = /range:? (\d{1,15})\s*-\s*(\d{1,15})/i
const mostBlocks =
  /(?:max(?:imum)?(?: allowed)?(?: block)?(?: range)?(?: is)?|up to(?: a)?|limited to(?: a)?(?: block range)?|at most|no more than|limit the query to|exceeds? (?:the )?(?:max(?:imum)? )?(?:block )?range(?: of)?|over more than|ranges? over|range limit)\D{0,12}?([\d,]{1,12})\s?(k?)\b(?! ?(?:results|logs|MB|topics|addresses))/i

const longestText = 2_000

/** Reads an error, a JSON text. Returns null when fewer blocks would not help. */
export function readLogLimit(error: string): LogLimit | null {
  const text = error.slice(0, longestText)
  if (!tooMany.test(text) || beyondHead.test(text)) return null
  const [most, proposed] = [statedIn(text), proposedIn(text)]
  if (aboutResults.test(text)) return { blocks: proposed ?? most, isBound: false }
  return { blocks: most ?? proposed, isBound: most !== null }
}

function statedIn(text: string): number | null {
  const [, most, thousand] = mostBlocks.exec(text) ?? []
  if (most === undefined) return null
  return positive(Number(most.replaceAll(',', '')) * (thousand ? 1_000 : 1))
}

function proposedIn(text: string): number | null {
  const [, fromHex, toHex] = proposedHex.exec(text) ?? []
  if (fromHex !== undefined && toHex !== undefined) {
    return positive(Number.parseInt(toHex, 16) - Number.parseInt(fromHex, 16) + 1)
  }
  const [, from, to] = proposedDecimal.exec(text) ?? []
  return from === undefined || to === undefined ? null : positive(Number(to) - Number(from) + 1)
}

const positive = (blocks: number): number | null => (blocks > 0 ? blocks : null)
