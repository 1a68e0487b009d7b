import type { ChainBreak, ChainHead, ChainPart } from '../../shared/audit.ts'
import { emptyChain } from '../../shared/audit.ts'

/** Where a check of the whole log stands. */
export type ChainCheckState =
  | { readonly kind: 'running'; readonly checked: number; readonly total: number }
  /** `checked` leaves out entries that are in archives. */
  | { readonly kind: 'intact'; readonly head: ChainHead; readonly checked: number }
  | { readonly kind: 'broken'; readonly firstBad: ChainBreak }

interface ChainCheckOptions {
  /** Checks a part that begins behind this head. */
  readonly checkPart: (after: ChainHead) => Promise<ChainPart>
  readonly total: number
  readonly signal: AbortSignal
}

/** Goes through the log part by part, and says how far it is. What is written meanwhile is checked, too. */
export async function* checkChain({
  checkPart,
  total,
  signal,
}: ChainCheckOptions): AsyncGenerator<ChainCheckState> {
  let after = emptyChain
  let sum = 0
  while (!signal.aborted) {
    yield { kind: 'running', checked: after.seq, total: Math.max(total, after.seq) }
    const { head, firstBad, isComplete, checked } = await checkPart(after)
    sum += checked
    if (firstBad !== null) return yield { kind: 'broken', firstBad }
    if (isComplete) return yield { kind: 'intact', head, checked: sum }
    after = head
  }
}

const numbers = new Intl.NumberFormat('en')

/** `All 1,203 entries are as they were recorded.` */
export const intactText = (checked: number): string =>
  checked === 1
    ? 'The only entry is as it was recorded.'
    : `All ${numbers.format(checked)} entries are as they were recorded.`

const reasons: Readonly<Record<ChainBreak['reason'], string>> = {
  missing: 'is missing',
  altered: 'is not as it was recorded',
  not_linked: 'does not follow the entry before it',
  not_as_remembered: 'is another one than was noted',
  cut_off: 'is missing, as are all behind it',
}

/** `Entry 12 is missing.` */
export const breakText = ({ seq, reason }: ChainBreak): string =>
  `Entry ${numbers.format(seq)} ${reasons[reason]}.`

/** As `gatehouse audit verify --head` takes it. */
export const headText = ({ seq, hash }: ChainHead): string => `${seq}:${hash}`
