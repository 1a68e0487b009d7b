import type { PublicAddress } from '../../http/public-address.ts'
import { type RequestFacts, keepFacts } from '../../http/request-facts.ts'
import type { Log } from '../../platform/log.ts'
import type { Principals } from '../principal.ts'
import type { Entrant } from './entrant.ts'
import { type OwnHosts, foreignPageRefusal, ownHosts } from './own-host.ts'
import { faultRefusal } from './refusals.ts'
import { metadataPath } from './resource-metadata.ts'

export type Serve = (entrant: Entrant) => Response | Promise<Response>

/** Lets a request in, to be served; whatever is thrown becomes its answer. */
type Admit = (request: Request, facts: RequestFacts, serve: Serve) => Promise<Response>

interface AdmissionOptions {
  readonly principals: Principals
  readonly address: () => PublicAddress
  readonly log: Log
}

/** Every way in: not by a page of another site, and as somebody. */
export function createAdmission({ principals, address, log }: AdmissionOptions): {
  readonly admit: Admit
  /** Of a request that another process has let in: it saw the page that made it. */
  readonly admitForwarded: Admit
} {
  // Not before the first request: the port may be chosen when the server listens.
  let known: OwnHosts | null = null
  const hosts = (): OwnHosts => (known ??= ownHosts(address()))

  async function enter(request: Request, facts: RequestFacts, serve: Serve, isForwarded: boolean) {
    try {
      const refused = isForwarded ? null : foreignPageRefusal(request.headers, hosts())
      if (refused !== null) throw refused
      keepFacts(request, facts)
      const principal = await principals.identify(request, facts)
      return await serve({ request, facts, principal, isForwarded })
    } catch (thrown) {
      const { fault, response } = faultRefusal(thrown, `${address().origin}${metadataPath}/mcp`)
      if (fault.code === 'internal') {
        const { requestId, route } = facts
        log.error('the gateway failed', { requestId, route, detail: fault.detail })
      }
      return response
    }
  }

  return {
    admit: (request, facts, serve) => enter(request, facts, serve, false),
    admitForwarded: (request, facts, serve) => enter(request, facts, serve, true),
  }
}
