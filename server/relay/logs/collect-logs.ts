import type { BlockRange } from '../tip/prepare-call.ts'
import type { LogLimit } from './log-limits.ts'

/** What became of the call for the logs of some blocks. */
export type LogAnswer =
  /** `text` is the JSON text of an array. */
  | { readonly kind: 'logs'; readonly text: string }
  | ({ readonly kind: 'too-many' } & LogLimit)
  | { readonly kind: 'failed' }

interface CollectOptions {
  readonly range: BlockRange
  /** How many blocks to ask for at first; null: all of them. */
  readonly blocks: number | null
  readonly ask: (range: BlockRange) => Promise<LogAnswer>
  /** Is told how many blocks the nodes answer at a time. */
  readonly learned: (blocks: number) => void
  readonly maxChars: number
}

const asksAtOnce = 2
/** More calls than this for one are refused: with the limits of nodes in use these are millions of blocks. */
const maxAsks = 1_000

interface Part {
  readonly range: BlockRange
  text: string | null
  isAsked: boolean
}

/**
 * Gets the logs of a range that is too large for one call: in parts, two at a time, merged in the order of the blocks. A
 * part that is still too large is divided again. Resolves to the JSON text of an array, or to null when a part cannot be
 * had; then none of it is worth anything.
 */
export async function collectLogs(options: CollectOptions): Promise<string | null> {
  const { range, ask, learned, maxChars } = options
  const parts = partsOf(range, options.blocks ?? sizeOf(range))
  let asks = 0
  let chars = 0
  let isOver = parts.length > maxAsks

  async function askNext(): Promise<void> {
    for (let part = nextOf(parts); part !== undefined && !isOver; part = nextOf(parts)) {
      part.isAsked = true
      const answer = ++asks > maxAsks ? ({ kind: 'failed' } as const) : await ask(part.range)
      if (answer.kind === 'logs') {
        part.text = answer.text
        chars += answer.text.length
        isOver ||= chars > maxChars
      } else if (answer.kind === 'too-many' && sizeOf(part.range) > 1) {
        const blocks = smallerSize(sizeOf(part.range), answer.blocks)
        if (answer.isBound) learned(blocks)
        parts.splice(parts.indexOf(part), 1, ...partsOf(part.range, blocks))
      } else isOver = true
      isOver ||= parts.length > maxAsks
    }
  }

  await Promise.all(Array.from({ length: asksAtOnce }, askNext))
  return isOver ? null : mergeArrays(parts.map(({ text }) => text ?? '[]'))
}

const nextOf = (parts: readonly Part[]): Part | undefined => parts.find(({ isAsked }) => !isAsked)

const sizeOf = ({ from, to }: BlockRange): number => to - from + 1

/** What a node says is believed when it makes the range smaller; else the range is halved. */
const smallerSize = (size: number, told: number | null): number =>
  told !== null && told < size ? told : Math.ceil(size / 2)

function partsOf(range: BlockRange, blocks: number): Part[] {
  const count = Math.ceil(sizeOf(range) / blocks)
  // One part more than can be asked for is enough to show that there are too many.
  return Array.from({ length: Math.min(count, maxAsks + 1) }, (_, index) => {
    const from = range.from + index * blocks
    return { range: { from, to: Math.min(from + blocks - 1, range.to) }, text: null, isAsked: false }
  })
}

function mergeArrays(texts: readonly string[]): string {
  const contents = texts.map((text) => text.slice(text.indexOf('[') + 1, text.lastIndexOf(']')).trim())
  return `[${contents.filter((content) => content !== '').join(',')}]`
}
