import type { ListedChain } from '../../shared/chains.ts'

interface ChangedChain {
  readonly propagated: boolean
  readonly isActive: boolean
}

/** What is said when a chain was changed; `done` such as `is added`. */
export function changedText(name: string, done: string, { propagated, isActive }: ChangedChain): string {
  const said = `“${name}” ${done}`
  if (!isActive) return `${said}, and holds as soon as the mistakes in the installation’s file are gone.`
  return propagated
    ? `${said}, and that holds now.`
    : `${said}. One process has not confirmed it yet, and will within a few seconds or when it is back.`
}

export const headAgeWords: Readonly<Record<ListedChain['headAge'], string>> = {
  slot: 'Regular blocks',
  pow: 'Blocks at random gaps, as by proof of work',
  idle: 'Blocks only when there are transactions',
  none: 'Blocks on demand: their age says nothing',
}
