/** Bounds of the gateway. Times in ms. */
export interface GatewaySettings {
  /** A session that nobody uses ends. */
  readonly sessionIdleMs: number
  /** A session ends, used or not. */
  readonly sessionLifeMs: number
  readonly sessions: number
  /** Of one API key, or of one address that shows none. */
  readonly sessionsOfOne: number
  /** Calls that reach out to other servers, from one address without a key. */
  readonly anonymousReachesPerMinute: number
  readonly keepAliveMs: number
  /** What a client may leave unread before its stream is closed. */
  readonly unreadBytes: number
  readonly bodyBytes: number
}

export const gatewaySettings: GatewaySettings = {
  sessionIdleMs: 3_600_000,
  sessionLifeMs: 86_400_000,
  sessions: 10_000,
  sessionsOfOne: 1_000,
  anonymousReachesPerMinute: 300,
  // Below the idle limits of proxies, of which many cut after 30 or 60 s.
  keepAliveMs: 5_000,
  unreadBytes: 4_194_304,
  bodyBytes: 4_194_304,
}
