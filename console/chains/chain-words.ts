import type { ListedChain } from '../../shared/chains.ts'
import { duration } from '../health/quantities.ts'
import { withPropagation } from '../keys/change-words.ts'

/** What is said when a chain was changed; `done` such as `is added`. */
export const changedText = (
  name: string,
  done: string,
  { propagated, isActive }: { readonly propagated: boolean; readonly isActive: boolean },
): string =>
  isActive
    ? withPropagation(`“${name}” ${done}, and that holds now.`, { propagated })
    : `“${name}” ${done}. It holds as soon as the mistakes in the installation’s file are gone.`

/** `250 ms`, `12 s`, `10 min`: in the largest units that round nothing. */
export const blockTime = (ms: number): string =>
  ms % 1_000 === 0 ? duration(ms) : `${ms.toLocaleString('en')} ms`

export const headAgeWords: Readonly<Record<ListedChain['headAge'], string>> = {
  slot: 'Regular blocks',
  pow: 'Blocks at random gaps, as by proof of work',
  idle: 'Blocks only when there are transactions',
  none: 'Blocks on demand: their age says nothing',
}
