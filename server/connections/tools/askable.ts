import { remembered } from '../../platform/remembered.ts'
import type { PoolKey } from '../pool/pool.ts'

/** What callers can be asked, as far as honest tool servers list other tools for it. It is in order, and bounded. */
const parts: readonly (readonly [part: string, isDeclared: (declared: Declared) => boolean])[] = [
  // Without a mode, forms are meant.
  [
    'form',
    ({ elicitation }) => elicitation !== undefined && ('form' in elicitation || !('url' in elicitation)),
  ],
  ['url', ({ elicitation }) => elicitation !== undefined && 'url' in elicitation],
  ['roots', ({ roots }) => roots !== undefined],
  ['sampling', ({ sampling }) => sampling !== undefined],
  ['sampling_tools', ({ sampling }) => sampling !== undefined && 'tools' in sampling],
]

type Declared = Readonly<Partial<Record<'elicitation' | 'roots' | 'sampling', object>>>

/** Nothing: what the owner in the console and most programs declare. */
const nothing = ''

const partsIn = remembered((json: string): string => {
  const declared: Declared = JSON.parse(json)
  return parts
    .filter(([, isDeclared]) => isDeclared(declared))
    .map(([part]) => part)
    .join('+')
})

/** Returns what a caller can be asked as a short text without colons, the same for all who are listed the same tools. */
export const askableOf = ({ askable }: Pick<PoolKey, 'askable'>): string =>
  askable === undefined ? nothing : partsIn(askable)
