import { createHash } from 'node:crypto'

/** The prefix of every key of the gateway in the store. */
const prefix = 'gatehouse:gateway'

/** Returns the key that exists as long as the process does. */
export const presenceKey = (process: string): string => `${prefix}:process:${process}`

const channels = `${prefix}:to:`

/** Returns the channel on which a process receives frames. */
export const channelKey = (process: string): string => channels + process

export const processOfChannel = (channel: string): string => channel.slice(channels.length)

/**
 * Returns the key of a moved session's owner. It holds a hash, because the id itself would give access to the
 * session.
 */
export const sessionOwnerKey = (sessionId: string): string =>
  `${prefix}:session:${createHash('sha256').update(sessionId).digest('base64url')}`
