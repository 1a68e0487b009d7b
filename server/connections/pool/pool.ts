import type { Clock } from '../../platform/clock.ts'
import type { Downstream } from '../downstream/downstream.ts'

/**
 * The identity of a pooled connection. A connection is shared only between calls whose whole key is equal.
 */
export interface PoolKey {
  /** The account, or the anonymous session. */
  readonly principal: string
  /** The gateway session or the saved connection whose end closes it. */
  readonly holder: string
  readonly url: string
  /** A value that differs for each credential. */
  readonly credentialVersion: string
  /**
   * What callers can be asked in the middle of a call, as JSON: tool servers before protocol 2026-07-28 are told when the
   * connection begins. Absent: nothing.
   */
  readonly askable?: string
}

export interface PoolLimits {
  readonly total: number
  readonly perPrincipal: number
  readonly idleMs: number
}

export interface Pool {
  /**
   * Returns the connection, opened with `open` if there is none, once for all who ask meanwhile. `busy`: there are too
   * many.
   */
  take(key: PoolKey, open: () => Promise<Downstream>): Promise<Downstream> | 'busy'
  /** Returns the connection that is open, without waiting. */
  open(key: PoolKey): Downstream | null
  /** Marks a connection as used by a call, so that it is not idle. */
  used(downstream: Downstream): void
  released(downstream: Downstream): void
  /**
   * Gives a connection to no further call. The calls that it still serves go on, and the last one to end closes it.
   */
  retire(key: PoolKey, downstream: Downstream): void
  closeHolder(holder: string): void
  size(): number
  stop(): void
}

interface Pooled {
  readonly key: PoolKey
  readonly connecting: Promise<Downstream>
  downstream: Downstream | null
}

interface Use {
  calls: number
  lastAt: number
  /** The place of a retired connection, where no key leads; null while calls may find it. */
  retiredTo: symbol | null
}

const sweepsPerIdle = 10

const textOf = ({ principal, holder, url, credentialVersion, askable }: PoolKey): string =>
  // None of them has such a character, and every call asks.
  [principal, holder, url, credentialVersion, askable].join('\0')

/** The open connections to tool servers, kept for the next call. */
export function createPool(limits: PoolLimits, clock: Pick<Clock, 'monotonic'>): Pool {
  const pooled = new Map<string | symbol, Pooled>()
  const uses = new WeakMap<Downstream, Use>()
  const counts = new Map<string, number>()
  const timer = setInterval(closeIdle, limits.idleMs / sweepsPerIdle)
  timer.unref()

  function remove(place: string | symbol): void {
    const entry = pooled.get(place)
    if (entry === undefined) return
    pooled.delete(place)
    const left = (counts.get(entry.key.principal) ?? 1) - 1
    if (left === 0) counts.delete(entry.key.principal)
    else counts.set(entry.key.principal, left)
    if (entry.downstream !== null) entry.downstream.close()
    else entry.connecting.then((late) => late.close()).catch(() => undefined) // its failure is told to who waits
  }

  const isIdle = ({ downstream }: Pooled): boolean =>
    downstream !== null && (uses.get(downstream)?.calls ?? 0) === 0
  const lastUseOf = ({ downstream }: Pooled): number =>
    downstream === null ? 0 : (uses.get(downstream)?.lastAt ?? 0)

  function closeIdle(): void {
    const before = clock.monotonic() - limits.idleMs
    for (const [text, entry] of pooled) {
      const isDead = entry.downstream?.isOpen() === false
      if (isDead || (isIdle(entry) && lastUseOf(entry) <= before)) remove(text)
    }
  }

  /** Makes room by closing the connection that was unused for the longest time. */
  function makeRoom(principal: string | null): boolean {
    const idle = [...pooled].filter(
      ([, entry]) => isIdle(entry) && (principal === null || entry.key.principal === principal),
    )
    const [oldest] = idle.toSorted(([, one], [, other]) => lastUseOf(one) - lastUseOf(other))
    if (oldest === undefined) return false
    remove(oldest[0])
    return true
  }

  function hasRoom(principal: string): boolean {
    if ((counts.get(principal) ?? 0) >= limits.perPrincipal && !makeRoom(principal)) return false
    return pooled.size < limits.total || makeRoom(null)
  }

  function add(key: PoolKey, text: string, open: () => Promise<Downstream>): Promise<Downstream> {
    const connecting = open()
    const entry: Pooled = { key, connecting, downstream: null }
    pooled.set(text, entry)
    counts.set(key.principal, (counts.get(key.principal) ?? 0) + 1)
    void keepOpened(text, entry)
    return connecting
  }

  async function keepOpened(text: string, entry: Pooled): Promise<void> {
    try {
      const downstream = await entry.connecting
      uses.set(downstream, { calls: 0, lastAt: clock.monotonic(), retiredTo: null })
      if (pooled.get(text) === entry) entry.downstream = downstream
      else downstream.close()
    } catch {
      if (pooled.get(text) === entry) remove(text) // why is told to who waits
    }
  }

  return {
    open(key) {
      const downstream = pooled.get(textOf(key))?.downstream ?? null
      return downstream?.isOpen() === true ? downstream : null
    },
    take(key, open) {
      const text = textOf(key)
      const known = pooled.get(text)
      if (known !== undefined && known.downstream?.isOpen() !== false) return known.connecting
      remove(text)
      return hasRoom(key.principal) ? add(key, text, open) : 'busy'
    },
    used(downstream) {
      const use = uses.get(downstream)
      if (use !== undefined) use.calls += 1
    },
    released(downstream) {
      const use = uses.get(downstream)
      if (use === undefined) return
      use.calls -= 1
      use.lastAt = clock.monotonic()
      if (use.calls === 0 && use.retiredTo !== null) remove(use.retiredTo)
    },
    retire(key, downstream) {
      const text = textOf(key)
      const entry = pooled.get(text)
      const use = uses.get(downstream)
      if (entry?.downstream !== downstream || use === undefined) return
      if (use.calls === 0) return remove(text)
      use.retiredTo = Symbol('retired')
      pooled.delete(text)
      pooled.set(use.retiredTo, entry)
    },
    closeHolder(holder) {
      for (const [text, { key }] of pooled) if (key.holder === holder) remove(text)
    },
    size: () => pooled.size,
    stop() {
      clearInterval(timer)
      for (const text of pooled.keys()) remove(text)
    },
  }
}
