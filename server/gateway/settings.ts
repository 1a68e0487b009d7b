/** Limits of the gateway. Times are in ms. */
export interface GatewaySettings {
  /** The time after which an unused session ends. */
  readonly sessionIdleMs: number
  /** The time after which a session ends even while it is used. */
  readonly sessionLifeMs: number
  /** The maximum number of sessions of all callers. Those without an API key have half of them at most. */
  readonly sessions: number
  /** The maximum number of sessions of one account, or of one address without a key. */
  readonly sessionsOfOne: number
  /** The number of tool-server calls per minute that one address may make without a key. */
  readonly anonymousDownstreamCallsPerMinute: number
  readonly keepAliveMs: number
  /** How often it is asked whether callers of what is open would be let in again. */
  readonly recheckMs: number
  /** The number of unread bytes at which a client's stream is closed. */
  readonly unreadBytes: number
  readonly bodyBytes: number
}

export const gatewaySettings: GatewaySettings = {
  sessionIdleMs: 3_600_000,
  sessionLifeMs: 86_400_000,
  sessions: 10_000,
  sessionsOfOne: 1_000,
  anonymousDownstreamCallsPerMinute: 300,
  // Below the idle limits of proxies, of which many cut after 30 or 60 s.
  keepAliveMs: 5_000,
  recheckMs: 5_000,
  unreadBytes: 4_194_304,
  bodyBytes: 4_194_304,
}
