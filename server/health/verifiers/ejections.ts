import type { Decision } from '../../../shared/health.ts'
import type { Log } from '../../platform/log.ts'
import { countContradictions } from '../decide/ejection.ts'
import type { ContradictionTally } from '../decide/ejection.ts'
import { noneEjected, stepEjection } from '../decide/ejection.ts'
import { type Report, vote } from '../decide/vote.ts'
import type { ListedService } from '../services/catalogue.ts'
import type { ActiveVerifiers } from './active-verifiers.ts'

/** Excludes verifiers with a broken view from votes, by comparing them with the majority in each round. */
export interface Ejections {
  /** Counts the votes on one service, at most once a round. It includes ejected verifiers, which could never return otherwise. */
  judge(listed: ListedService, reports: readonly Report[], published: Decision): void
  /** Ends the round. Returns whether a verifier was ejected or reinstated. */
  endRound(): boolean
  /** Reinstates all verifiers, because another process decides by now which ones are ejected. */
  reset(): void
}

export function createEjections(activeVerifiers: ActiveVerifiers, log: Log): Ejections {
  let state = noneEjected
  let tallies = new Map<string, ContradictionTally>()
  let judgedSlots = new Set<number>()

  return {
    judge({ service, slot }, reports, published) {
      if (judgedSlots.has(slot)) return
      judgedSlots.add(slot)
      const ballots = reports.map((report) => ({
        verifierId: report.verifierId,
        vote: vote(report, service.policy, published),
      }))
      countContradictions(tallies, ballots, state)
    },

    endRound() {
      const verifierIds = [...activeVerifiers.all()].map(({ verifier }) => verifier.id)
      const { state: next, ejected, reinstated } = stepEjection(state, verifierIds, tallies)
      state = next
      tallies = new Map()
      judgedSlots = new Set()
      for (const entry of activeVerifiers.all()) entry.isEjected = state.has(entry.verifier.id)
      for (const verifierId of ejected)
        log.warn('verifier ejected: it contradicts the majority', { verifierId })
      for (const verifierId of reinstated) log.info('verifier reinstated', { verifierId })
      return ejected.length + reinstated.length > 0
    },

    reset() {
      state = noneEjected
      tallies = new Map()
      judgedSlots = new Set()
      for (const entry of activeVerifiers.all()) entry.isEjected = false
    },
  }
}
