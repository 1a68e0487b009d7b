import { computed } from 'vue'

import type { ChainReference } from '../../shared/health-services.ts'
import { useLiveQuery } from '../live-query.ts'
import { trpc } from '../trpc.ts'
import { counted, duration } from './quantities.ts'

/** Chains make blocks every few seconds. */
const everyMs = 5_000

/** Reads the head of each chain for as long as it is wanted. Returns what tells that of one; null where none is known. */
export function useChainHeads(isWanted: () => boolean) {
  const { data } = useLiveQuery(
    () => ({
      key: ['services', 'heads', isWanted()],
      query: () => (isWanted() ? trpc.services.heads.query() : Promise.resolve([])),
    }),
    everyMs,
  )
  const heads = computed(() => new Map((data.value ?? []).map((head) => [head.chain, head])))

  return (chain: string, now: number): string | null => {
    const head = heads.value.get(chain)
    return head === undefined ? null : referenceText(head, now)
  }
}

const numbers = new Intl.NumberFormat('en')

/** `head 21,304,118, 3 s old, 19 providers` */
export const referenceText = ({ height, timestamp, providers }: ChainReference, now: number): string =>
  `head ${numbers.format(height)}, ${duration(now - timestamp * 1_000)} old, ${counted(providers, 'provider')}`
