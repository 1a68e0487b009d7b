import * as z from 'zod/mini'

import { matching, text } from './text.ts'

const url = text({ max: 2_000 })

/** What an installation knows of a tool server, for operators. Instants are epoch ms. */
export const KnownToolServer = z.object({
  url: z.string(),
  serviceId: z.string(),
  name: z.string(),
  challengedAt: z.nullable(z.int()), // when it asked for credentials although it is listed as open
  changedAt: z.nullable(z.int()), // when its tools were last seen to change
  toolCount: z.nullable(z.int()), // null: nobody has listed them without credentials
  changedTools: z.array(z.string()),
  removedTools: z.array(z.string()),
})
export type KnownToolServer = z.infer<typeof KnownToolServer>

export const ToolServerByUrl = z.strictObject({ url })

export const ToolServerAcceptance = z.strictObject({
  url,
  fingerprint: matching(/^[0-9a-f]{64}$/, 'expected the fingerprint of a list of tools'),
})
