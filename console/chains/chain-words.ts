import type { ListedChain } from '../../shared/chains.ts'
import { minuteMs } from '../../shared/durations.ts'
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

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 3 })

/** `250 ms`, `12 s`, `10 min`, `2 min 37.5 s`: times of chains lie far apart, and none is rounded. */
export function blockTime(ms: number): string {
  if (ms < 1_000) return `${numbers.format(ms)} ms`
  const minutes = Math.floor(ms / minuteMs)
  const seconds = (ms % minuteMs) / 1_000
  return [
    ...(minutes > 0 ? [`${numbers.format(minutes)} min`] : []),
    ...(seconds > 0 ? [`${numbers.format(seconds)} s`] : []),
  ].join(' ')
}

export const headAgeWords: Readonly<Record<ListedChain['headAge'], string>> = {
  slot: 'Regular blocks',
  pow: 'Blocks at random gaps, as by proof of work',
  idle: 'Blocks only when there are transactions',
  none: 'Blocks on demand: their age says nothing',
}
