import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { NodeBoundsOf } from '../ports.ts'

/** How long (ms) a limit of nodes is remembered before it is tried again. */
const rememberedMs = 3_600_000

/** How many blocks the nodes of an endpoint answer at a time in calls for logs, as far as they have said so. */
export class LogRange {
  readonly #configured: () => number
  #blocks: number | null = null
  #until = 0

  /** `configured`: how many blocks at most whatever nodes say; infinite without a bound. */
  constructor(configured: () => number) {
    this.#configured = configured
  }

  /** Null: all at once, as far as is known. */
  blocks(now: number): number | null {
    const most = Math.min(this.#configured(), this.#told(now) ?? Number.POSITIVE_INFINITY)
    return Number.isFinite(most) ? most : null
  }

  learned(blocks: number, now: number): void {
    this.#blocks = Math.min(blocks, this.#told(now) ?? blocks)
    this.#until = now + rememberedMs
  }

  #told(now: number): number | null {
    return now < this.#until ? this.#blocks : null
  }
}

/** Ranges are divided before a node is chosen: the narrowest bound that an operator has set for one of them holds for all. */
export function logBlocksOf(
  { settings }: Pick<Endpoint, 'settings'>,
  clients: readonly { readonly serviceId: string | null }[],
  boundsOf: NodeBoundsOf,
): number {
  const ofNodes = clients.map(({ serviceId }) =>
    serviceId === null ? null : boundsOf(serviceId).logBlocks(),
  )
  const bounds = [settings.logBlocks ?? null, ...ofNodes]
  return Math.min(...bounds.map((blocks) => blocks ?? Number.POSITIVE_INFINITY))
}
