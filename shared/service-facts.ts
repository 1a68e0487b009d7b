import * as z from 'zod/mini'

import { text } from './text.ts'

const count = z.optional(z.int().check(z.minimum(0)))

/** Why a certificate was refused. */
export const certificateProblems = ['EXPIRED', 'SELF_SIGNED', 'WRONG_NAME', 'UNTRUSTED'] as const

/** The chain that a node names, and the id of the one that it is listed under. */
const OtherChain = z.strictObject({ named: text({ max: 100 }), expected: text({ max: 100 }) })
export type OtherChain = z.infer<typeof OtherChain>

/** What verifiers find out about a node beside its head. It advises people, and never decides. */
export const ServiceFacts = z
  .strictObject({
    certificateExpiresAt: count, // Unix seconds
    certificateProblem: z.optional(z.nullable(z.enum(certificateProblems))),
    clientVersion: z.optional(text({ max: 200 })),
    finalizedLag: count, // blocks (slots) from the head to the newest final block
    safeLag: count,
    stateDepth: z.optional(z.nullable(z.int().check(z.minimum(0)))), // blocks with state behind the head; null: all
    logRange: count, // blocks that one log query may span, at least
    missingMethods: z.optional(z.array(text({ max: 60 })).check(z.maxLength(20))),
    isSyncing: z.optional(z.boolean()),
    syncDistance: count, // slots
    peers: count,
    otherChain: z.optional(OtherChain), // left out where it names the right one
  })
  .check(z.meta({ id: 'ServiceFacts' }))
export type ServiceFacts = z.infer<typeof ServiceFacts>

/** Ever older states that verifiers ask for, in blocks behind the head: what pruned nodes keep lies between them. */
export const stateDepths: readonly number[] = [128, 1_024, 8_192, 65_536]
/** Ever longer ranges of blocks that they ask for logs of. */
export const logRanges: readonly number[] = [100, 1_000, 10_000]

/** Returns the facts that are still worth something when nobody has repeated them for long. */
export function lastingFacts(facts: ServiceFacts): ServiceFacts {
  const { certificateExpiresAt, clientVersion, stateDepth, logRange, missingMethods } = facts
  return {
    ...(certificateExpiresAt !== undefined && { certificateExpiresAt }),
    ...(clientVersion !== undefined && { clientVersion }),
    ...(stateDepth !== undefined && { stateDepth }),
    ...(logRange !== undefined && { logRange }),
    ...(missingMethods !== undefined && { missingMethods }),
  }
}
