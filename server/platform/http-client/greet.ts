import { untilAborted } from '../deadline.ts'
import { Connection, type ConnectionOwner } from './connection.ts'
import { dial, type DialTarget } from './dial.ts'

const nobody: ConnectionOwner = {
  wantsToSend: () => undefined,
  becameFree: () => undefined,
  closed: () => undefined,
}

/**
 * Opens a connection to the first of the addresses that can be reached, sends nothing, and closes it. Resolves to when the
 * certificate of the peer ends (Unix seconds); null without TLS. Rejects as `dial` does, or with the signal's reason.
 */
export async function greet(
  { addresses, ...to }: DialTarget & { readonly addresses: readonly string[] },
  signal: AbortSignal,
): Promise<number | null> {
  const connection = new Connection(nobody)
  try {
    await untilAborted(dial(connection, addresses, to), signal)
    return connection.certificateExpiresAt
  } finally {
    connection.close()
  }
}
