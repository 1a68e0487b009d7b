import { isFields } from '../../shared/fields.ts'

/** Returns true for the message with which a client of MCP 2026-07-28 begins to listen. */
export const isSubscription = (message: unknown): boolean =>
  isFields(message) && message.method === 'subscriptions/listen'

/**
 * Returns true for a request of MCP whose event stream answers no call and lasts as long as its client listens: a GET, or a
 * POST that subscribes. `message` is the parsed body.
 */
export const opensStandingStream = (method: string, message: unknown): boolean =>
  method === 'GET' || (method === 'POST' && isSubscription(message))
