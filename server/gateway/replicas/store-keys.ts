import { createHash } from 'node:crypto'

/** Names in the store. Nothing else of ours lives under this prefix. */
const prefix = 'gatehouse:gateway'

/** There as long as the process is. */
export const presenceOf = (process: string): string => `${prefix}:process:${process}`

const channels = `${prefix}:to:`

/** What is sent to the process. */
export const channelOf = (process: string): string => channels + process

export const processAt = (channel: string): string => channel.slice(channels.length)

/** Which process rebuilt the session. The id itself would be in the store in the clear. */
export const homeOf = (sessionId: string): string =>
  `${prefix}:session:${createHash('sha256').update(sessionId).digest('base64url')}`
