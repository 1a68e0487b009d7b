import type { AccountState, Role } from '../../../shared/accounts.ts'
import { hourMs, minuteMs } from '../../../shared/durations.ts'

export const sessionLimits = {
  /** A browser that was not used for so long is signed out. */
  idleMs: 24 * hourMs,
  /** And every browser after this, however much it is used. */
  absoluteMs: 30 * 24 * hourMs,
  /** How long a proof of identity counts for what needs a fresh one. */
  freshMs: 15 * minuteMs,
  /** The last use is stored no more often than this, so the idle time may end so much early. */
  touchMs: 5 * minuteMs,
} as const

/** A browser that is signed in, and as whom. Instants in epoch ms. */
export interface CurrentSession {
  readonly id: string
  readonly accountId: string
  /** What the account may do now. */
  readonly role: Role
  readonly state: AccountState
  /** For the audit log. */
  readonly accountLabel: string
  readonly lastSeenAt: number
  readonly signedInAt: number
  readonly expiresAt: number
}

export const isSessionAlive = (
  session: Pick<CurrentSession, 'lastSeenAt' | 'expiresAt'>,
  now: number,
): boolean => now < session.expiresAt && now < session.lastSeenAt + sessionLimits.idleMs

export const freshUntil = ({ signedInAt }: Pick<CurrentSession, 'signedInAt'>): number =>
  signedInAt + sessionLimits.freshMs

export const isFresh = (session: Pick<CurrentSession, 'signedInAt'>, now: number): boolean =>
  now <= freshUntil(session)

export const needsTouch = ({ lastSeenAt }: Pick<CurrentSession, 'lastSeenAt'>, now: number): boolean =>
  now >= lastSeenAt + sessionLimits.touchMs
