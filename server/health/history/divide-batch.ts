import type { HistoryBatch } from './store.ts'

export const historyBatchSize = ({ healths, transitions, rollups }: HistoryBatch): number =>
  healths.length + transitions.length + rollups.length

/** Returns two halves of a batch, with ids derived from its own; null when there is nothing to divide. */
export function halveBatch(batch: HistoryBatch): [HistoryBatch, HistoryBatch] | null {
  const size = historyBatchSize(batch)
  if (size < 2) return null
  const middle = size >> 1
  return [part(batch, 'a', 0, middle), part(batch, 'b', middle, size)]
}

/** Returns the rows of a batch between two positions, counted over all kinds. */
function part({ id, healths, transitions, rollups }: HistoryBatch, suffix: string, from: number, to: number) {
  const cut = <Row>(rows: readonly Row[], before: number): readonly Row[] =>
    rows.slice(Math.max(0, from - before), Math.max(0, to - before))
  return {
    id: `${id}.${suffix}`,
    healths: cut(healths, 0),
    transitions: cut(transitions, healths.length),
    rollups: cut(rollups, healths.length + transitions.length),
  }
}

/** Returns a batch without the rows of one service. */
export function withoutService(batch: HistoryBatch, serviceId: string): HistoryBatch {
  const isOther = (row: { serviceId: string }) => row.serviceId !== serviceId
  return {
    id: batch.id,
    healths: batch.healths.filter(isOther),
    transitions: batch.transitions.filter(isOther),
    rollups: batch.rollups.filter(isOther),
  }
}
