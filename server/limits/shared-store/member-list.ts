import { listIn } from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-failure.ts'

/** A node that was given up, and the instant by the store's clock. It may return and depart again. */
export interface Departed {
  readonly nodeId: string
  readonly at: string
}

/** All nodes that may hold units which still count, as the store listed them. */
export interface MemberList {
  readonly epoch: string
  /** Grows with each node that joins or departs. */
  readonly number: number
  readonly living: readonly string[]
  readonly departed: readonly Departed[]
  /** Names of nodes of earlier epochs whose grants the store does not know. */
  readonly missing: readonly string[]
}

export interface Joined {
  readonly members: MemberList
  /** The age of the epoch in µs. */
  readonly ageMicros: number
  /** True when all living nodes know this one, so that it may request leases. */
  readonly isConfirmed: boolean
}

export const nameOf = ({ nodeId, at }: Departed): string => `${nodeId}@${at}`

/** Returns the names of all nodes for which the store must wait after a loss of data. */
export const namesIn = ({ living, departed, missing }: MemberList): string[] => [
  ...new Set([...living, ...departed.map(nameOf), ...missing]),
]

/** Parses the answer of `joinScript`. */
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
