import type { SessionView } from '../../../shared/accounts.ts'
import type { KeySync } from '../../keys/replicas/key-sync.ts'
import type { Database, TransactionSql } from '../../platform/database.ts'
import { randomId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { hashSecret, mintSecret } from '../../platform/secrets.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { identityLabel } from '../identity.ts'
import { createPeriodicJob } from '../../platform/periodic-job.ts'
import { networkOf } from '../network.ts'
import { type ConfiguredOperators, effectiveStanding } from '../operators.ts'
import { browserName } from './browser-name.ts'
import { createSessionCache } from './session-cache.ts'
import { type CurrentSession, isSessionAlive, needsTouch, sessionLimits } from './session.ts'
import { type StoredSession, createSessionStore } from './store.ts'
import { createStreamEnds } from './stream-ends.ts'

interface SessionsOptions {
  readonly database: Database
  readonly clock: SteadyClock
  readonly log: Log
  readonly operators: ConfiguredOperators
  readonly keySync: Pick<KeySync, 'follow'>
}

/** A browser that signs in. */
interface Browser {
  readonly userAgent: string | null
  readonly ip: string | null
}

const channel = 'gatehouse_web_sessions'
/** Enough to recognise a place by, too little to find a person with. */
const rememberedNetwork = { ipv4: 24, ipv6: 48 }

/** Where other processes cannot tell of a session that ended, its streams go on for so long at the most. */
const unheardMs = 15_000

export type Sessions = ReturnType<typeof createSessions>

/** Who is signed in, and by which browsers. */
export function createSessions({ database, clock, log, operators, keySync }: SessionsOptions) {
  const store = createSessionStore(database)
  const cache = createSessionCache(clock)
  const streams = createStreamEnds()

  function forget(accountId: string): void {
    cache.forgetAccount(accountId)
    streams.end(accountId)
  }

  /** Called after a time without notifications of other processes. */
  function forgetAll(): void {
    cache.forgetAll()
    streams.endAll()
  }

  // A disabled account is refused by every process before the call that disables it returns; a notification may be late.
  keySync.follow({
    kind: 'account',
    reload: async () => forgetAll(),
    refresh: async (ids) => ids.forEach(forget),
  })

  const forgetting = createPeriodicJob(
    unheardMs,
    async () => {
      // While statements are not answered either, nobody could be signed in again; `onResume` makes up for it.
      if (database.notifications() !== 'heard' && !database.load().isAway) forgetAll()
    },
    (error) => log.error('sessions could not be forgotten', { error }),
  )

  async function read(secretHash: string): Promise<CurrentSession | null> {
    const stored = await store.find(secretHash)
    const session = stored === null ? null : toCurrent(stored, operators)
    return session?.state === 'disabled' ? null : session
  }

  async function touch(secretHash: string, session: CurrentSession, now: number): Promise<void> {
    cache.replace(secretHash, { ...session, lastSeenAt: now })
    try {
      await store.touch(session.id, now)
    } catch (error) {
      log.warn('the last use of a session was not stored', { error })
    }
  }

  return {
    /** The session of a cookie; null when there is none, or it is over. Fault: `unavailable`. */
    async find(secret: string): Promise<CurrentSession | null> {
      const secretHash = hashSecret(secret)
      const session = cache.find(secretHash) ?? (await cache.load(secretHash, () => read(secretHash)))
      const now = clock.now()
      if (session === null || !isSessionAlive(session, now)) return null
      if (needsTouch(session, now)) await touch(secretHash, session, now)
      return session
    },

    /** Begins a session, and returns the secret for its cookie, which is stored nowhere. */
    async begin(sql: TransactionSql, accountId: string, { userAgent, ip }: Browser): Promise<string> {
      const secret = mintSecret('')
      const at = Math.floor(clock.now())
      await store.insert(sql, {
        id: randomId('ses'),
        secretHash: hashSecret(secret),
        accountId,
        at,
        expiresAt: at + sessionLimits.absoluteMs,
        browser: browserName(userAgent),
        network: networkOf(ip, rememberedNetwork),
      })
      return secret
    },

    async list(accountId: string, currentId: string): Promise<SessionView[]> {
      const now = clock.now()
      const sessions = await store.list(accountId)
      return sessions
        .filter((session) => isSessionAlive(session, now))
        .map((session) => ({ ...session, isThisOne: session.id === currentId }))
    },

    /** Tells whether the account had it. Follow the transaction by `forget`. */
    end: store.remove,

    /** Ends all of an account, and returns how many. Follow the transaction by `forget`. */
    endAll: (sql: TransactionSql, accountId: string) => store.removeOthers(sql, accountId, ''),

    /** Ends all but one, and returns how many. Follow the transaction by `forget`. */
    endOthers: store.removeOthers,

    /** Inside the transaction that ended sessions of an account, or changed what it may do: tells every process. */
    async announce(sql: TransactionSql, accountId: string): Promise<void> {
      await sql`SELECT pg_notify(${channel}, ${accountId})`
    },

    /** After that transaction: it is active here before the caller returns. */
    forget,

    /** Aborts when a session of the account ends or what it may do changes, in whatever process. */
    streamEnd: streams.of,

    async start(): Promise<void> {
      await database.listen(channel, forget)
      database.onResume(forgetAll)
      forgetting.start()
    },

    stop: forgetting.stop,

    removeDead: (now: number) => store.removeDead(now, now - sessionLimits.idleMs),
  }
}

function toCurrent(stored: StoredSession, operators: ConfiguredOperators): CurrentSession {
  const { identities, ...session } = stored
  const [first] = identities
  return {
    ...session,
    ...effectiveStanding(stored, operators),
    accountLabel: first === undefined ? session.accountId : identityLabel(first),
  }
}
