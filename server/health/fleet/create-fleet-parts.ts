import type { Evaluation } from '../evaluation/evaluation.ts'
import type { History } from '../history/history.ts'
import type { Verifiers } from '../verifiers/verifiers.ts'
import type { FleetParts } from './fleet-parts.ts'

interface PartsOfHealth {
  readonly history: Pick<History, 'lastHealths' | 'changed' | 'abandon'>
  readonly evaluation: Pick<Evaluation, 'restore' | 'publish' | 'carriedOn' | 'markAllDue' | 'reinstateAll'>
  readonly verifiers: Pick<Verifiers, 'reports' | 'lookUp' | 'following'>
}

export const createFleetParts = ({ history, evaluation, verifiers }: PartsOfHealth): FleetParts => ({
  storedHealths: history.lastHealths,
  restore(healths) {
    evaluation.restore(healths)
    evaluation.markAllDue()
  },
  recordUnstored: (health, { published: previous }) =>
    history.changed(health, { previous, reason: health.cause?.reason ?? unstoredReason, votes: [] }),
  publish: evaluation.publish,
  carriedOn: evaluation.carriedOn,
  async receive({ verifierId, signature, body }) {
    await verifiers.lookUp(verifierId)
    return verifiers.reports.receive(verifierId, signature, body)
  },
  ...verifiers.following,
  stopDeciding() {
    history.abandon()
    evaluation.reinstateAll()
  },
})

const unstoredReason = 'decided just before another process took over'
