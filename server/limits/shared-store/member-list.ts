import { listIn } from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-link.ts'

/** A node that was given up, and when, by the store's clock: it may come back, and depart again. */
export interface Departed {
  readonly nodeId: string
  readonly at: string
}

/** Every node that may hold units which still count, as the store told it. */
export interface MemberList {
  readonly epoch: string
  /** Grows with each node that comes or goes. */
  readonly number: number
  readonly living: readonly string[]
  readonly departed: readonly Departed[]
  /** Nodes of earlier epochs, by name, of which the store does not know what they were granted. */
  readonly missing: readonly string[]
}

export interface Joined {
  readonly members: MemberList
  /** Of the epoch, in microseconds. */
  readonly ageMicros: number
  /** All living nodes know of this one: it may ask. */
  readonly isConfirmed: boolean
}

export const nameOf = ({ nodeId, at }: Departed): string => `${nodeId}@${at}`

/** What the store is to wait for after it has lost its data. */
export const namesIn = ({ living, departed, missing }: MemberList): string[] => [
  ...new Set([...living, ...departed.map(nameOf), ...missing]),
]

/** Reads what `joinScript` answers. */
export function readJoined(answer: unknown): Joined {
  const [epoch, ageMicros, seat, number, living, departed, missing] = listIn(answer)
  if (typeof epoch !== 'string' || typeof ageMicros !== 'number' || typeof number !== 'number') {
    throw new StoreLost('an unexpected answer')
  }
  return {
    members: {
      epoch,
      number,
      living: listIn(living).map(String),
      departed: departedIn(listIn(departed).map(String)),
      missing: listIn(missing).map(String),
    },
    ageMicros,
    isConfirmed: seat === 1,
  }
}

function departedIn(fields: readonly string[]): Departed[] {
  const departed: Departed[] = []
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [nodeId = '', at = ''] = fields.slice(index, index + 2)
    departed.push({ nodeId, at })
  }
  return departed
}
