import type { ServiceFacts } from '../../../shared/service-facts.ts'
import type { Target } from '../../../shared/verifier-protocol.ts'
import { type Egress, EgressError } from '../../platform/egress.ts'
import { certificateFacts, certificateProblemOf } from './certificate-facts.ts'
import { RecentMap } from '../../platform/recent-map.ts'

/** What is known of the certificates of `wss` addresses that are other servers than the endpoints beside them. */
export interface SocketCertificates {
  /** Looks at the certificate of a service's WebSocket address, by a handshake that is followed by nothing. */
  check(target: Target): Promise<void>
  /** Returns the facts of a service with the worse of both certificates. */
  addTo(target: Target, facts: ServiceFacts): ServiceFacts
}

const rememberedAddresses = 10_000

export function createSocketCertificates(egress: Egress): SocketCertificates {
  const known = new RecentMap<string, ServiceFacts>(rememberedAddresses)

  return {
    async check(target) {
      const url = ownServerOf(target)
      if (url === null) return
      const { ca, policy } = target
      try {
        const certificateExpiresAt = await egress.greet({ url, ca, timeoutMs: policy.timeoutMs })
        known.set(keyOf(url, ca), certificateFacts({ certificateExpiresAt }))
      } catch (error) {
        if (!(error instanceof EgressError)) throw error
        if (error.code === 'TLS')
          known.set(keyOf(url, ca), { certificateProblem: certificateProblemOf(error) })
      }
    },
    addTo(target, facts) {
      const url = ownServerOf(target)
      const ofSocket = url === null ? undefined : known.get(keyOf(url, target.ca))
      if (ofSocket === undefined) return facts
      const ends = [facts, ofSocket].flatMap(({ certificateExpiresAt: at }) => (at === undefined ? [] : [at]))
      const problem = facts.certificateProblem ?? ofSocket.certificateProblem
      return {
        ...facts,
        ...(ends.length > 0 && { certificateExpiresAt: Math.min(...ends) }),
        ...(problem !== undefined && { certificateProblem: problem }),
      }
    },
  }
}

const keyOf = (url: string, ca: string | undefined): string => `${url} ${ca ?? ''}`

/** Returns the https address of a `wss` server; null where there is none, or where the endpoint is the same server. */
function ownServerOf({ ws = '', endpoint }: Target): string | null {
  if (!ws.startsWith('wss:') || !URL.canParse(ws) || !URL.canParse(endpoint)) return null
  const { host } = new URL(ws.replace(/^wss/, 'https'))
  const http = new URL(endpoint)
  return http.protocol === 'https:' && http.host === host ? null : `https://${host}/`
}
