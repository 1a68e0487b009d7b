import { fileURLToPath } from 'node:url'

import { startChild } from './child-process.ts'
import { waitUntil } from './wait-until.ts'

/** Both in PEM, as files. */
export interface CertificateFiles {
  readonly key: string
  readonly cert: string
}

/**
 * A JSON-RPC node and tool server that confuses its callers on purpose: it sends answers twice, late, early, to somebody
 * else, reordered, with surplus bytes behind them, and cuts them at every byte. Each answer echoes what was asked, so
 * that who gets another's can tell. In a process of its own.
 */
export interface ChaosUpstream {
  /** Of a node: single calls and batches. */
  readonly nodeUrl: string
  /** Of a tool server with the tool `echo`, of the era of 2026 or of 2025. */
  toolsUrl(era: 'modern' | 'legacy'): string
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('./chaos-upstream/main.ts', import.meta.url))

/** The same seed confuses in the same way. Without certificate files, it speaks no TLS. */
export async function startChaosUpstream(seed: number, tls: CertificateFiles | null): Promise<ChaosUpstream> {
  const files = tls === null ? [] : [tls.key, tls.cert]
  const child = startChild([process.execPath, program, String(seed), ...files])
  await waitUntil('the chaos upstream listens', () => child.output().includes('\n'))
  const origin = `${tls === null ? 'http' : 'https'}://127.0.0.1:${child.output().trim()}`
  return {
    nodeUrl: `${origin}/node`,
    toolsUrl: (era) => `${origin}/${era}`,
    stop: () => child.stop(),
  }
}
