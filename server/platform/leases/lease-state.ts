import type { HeldLease, LeaseAnswer } from './lease-store.ts'

/** What a process knows of a lease. Instants are of the monotonic clock (ms). */
export type LeaseState = OwnLease | OthersLease

/** This process has it until an instant. */
export interface OwnLease {
  readonly kind: 'own'
  readonly epoch: number
  readonly until: number
  /** It was taken although the clock of this process is wrong, because nobody else took it. */
  readonly isReluctant: boolean
}

export interface OthersLease {
  readonly kind: 'others'
  /** Who has it, or had it last; null where nobody is known to. */
  readonly held: HeldLease | null
  readonly until: number
  /** Since when the database has said that nobody has it; null where somebody has. */
  readonly freeSince: number | null
  /** When its owner was heard from last. */
  readonly heardAt: number
}

export const unknownLease: LeaseState = {
  kind: 'others',
  held: null,
  until: Number.NEGATIVE_INFINITY,
  freeSince: null,
  heardAt: Number.NEGATIVE_INFINITY,
}

/** What a process does about a lease when its turn comes. */
export type LeaseStep = 'claim' | 'read' | 'release'

/** For how long (ms) an owner that was heard from just now may be late with its renewal: the database may have been away. */
const heardWithinMs = 2_000
const patienceMs = 3_000
/** A process with a wrong clock leaves the lease to others for so long (ms). */
const reluctanceMs = 10_000

export function nextLeaseStep(state: LeaseState, isClockWrong: boolean, now: number): LeaseStep {
  if (state.kind === 'own') return isClockWrong && !state.isReluctant ? 'release' : 'claim'
  const { freeSince, heardAt } = state
  const freeForMs = freeSince === null ? 0 : now - freeSince
  if (isClockWrong) return freeForMs >= reluctanceMs ? 'claim' : 'read'
  return now - heardAt <= heardWithinMs && freeForMs < patienceMs ? 'read' : 'claim'
}

/** When a step was taken, and by whom. */
interface StepTaken {
  readonly self: string
  readonly sentAt: number
  readonly isClockWrong: boolean
}

/** Returns what the answer to a claim says; null: somebody else was about to take it, and the next step will tell. */
export function afterClaim(state: LeaseState, answer: LeaseAnswer | null, taken: StepTaken): LeaseState {
  if (answer === null || isOutOfDate(answer, state, taken.sentAt)) return state
  if (answer.holder !== taken.self) return afterRead(state, answer, taken.sentAt)
  // The database answered after `sentAt`, so that the lease lasts at least so long.
  const until = taken.sentAt + answer.leftMs
  return { kind: 'own', epoch: answer.epoch, until, isReluctant: taken.isClockWrong }
}

/** Returns what the database says of a lease that was not claimed; null: nobody ever had it. */
export function afterRead(state: LeaseState, answer: LeaseAnswer | null, sentAt: number): LeaseState {
  if (isOutOfDate(answer, state, sentAt)) return state
  const last = state.kind === 'others' ? state : null
  const heardAt = last?.heardAt ?? Number.NEGATIVE_INFINITY
  const isFree = answer === null || answer.leftMs <= 0
  return {
    kind: 'others',
    held: answer && { holder: answer.holder, epoch: answer.epoch },
    until: sentAt + (answer?.leftMs ?? 0),
    freeSince: isFree ? (last?.freeSince ?? sentAt) : null,
    heardAt,
  }
}

/** Returns whether the owner was heard from, under a higher epoch, while the database answered. */
const isOutOfDate = (answer: LeaseAnswer | null, state: LeaseState, sentAt: number): boolean =>
  state.kind === 'others' && state.heardAt >= sentAt && (answer?.epoch ?? 0) < epochOf(state)

/** Returns what is known once this process has let others take the lease. */
export const afterRelease = (epoch: number, now: number): LeaseState => ({
  ...unknownLease,
  held: { holder: '', epoch },
  until: now,
  freeSince: now,
})

/** How long (ms) an owner goes on after it found the database away. */
const awayMs = 3_000
/** A failure that took longer than any deadline says only that this process stood still. */
const stoodStillMs = 2_000

/**
 * The database does not answer. Nobody else could take the lease from it either, so whoever has it goes on: to stop would make
 * every outage of the database one of health. Where only this process lost the database, the next owner says so within moments
 * (`afterNews`), and until then two epochs are told apart by everybody who listens.
 */
export function afterFailure(state: LeaseState, sentAt: number, now: number): LeaseState {
  if (state.kind !== 'own' || now - sentAt > stoodStillMs) return state
  return { ...state, until: Math.max(state.until, now + awayMs) }
}

/** Another process says who has the lease. A higher epoch ends any lower one. */
export function afterNews(state: LeaseState, held: HeldLease, self: string, now: number): LeaseState {
  if (held.holder === self || held.epoch < epochOf(state)) return state
  if (state.kind === 'others' && held.epoch === state.held?.epoch) return { ...state, heardAt: now }
  if (held.epoch === epochOf(state)) return state
  return { kind: 'others', held, until: now, freeSince: null, heardAt: now }
}

/** Returns the highest epoch that is known; 0 where none is. */
export const epochOf = (state: LeaseState): number =>
  state.kind === 'own' ? state.epoch : (state.held?.epoch ?? 0)

/**
 * Returns the epoch under which this process may decide now; null where it may not. A process that stood still beyond the
 * end of its lease does nothing until it has asked the database, or found it away.
 */
export function decidingEpoch(state: LeaseState, now: number): number | null {
  if (state.kind === 'others') return null
  return now <= state.until ? state.epoch : null
}

/** Shortest and longest time (ms) between two steps. */
const soonestMs = 50
const renewEveryMs = 1_000

/** Returns after how many ms the next step is due: the end of another's lease is not waited beyond. */
export function nextLeaseStepMs(state: LeaseState, now: number): number {
  if (state.kind === 'own') return renewEveryMs
  const left = state.until - now
  return left <= 0 ? renewEveryMs / 2 : Math.min(renewEveryMs, Math.max(soonestMs, left + soonestMs))
}
