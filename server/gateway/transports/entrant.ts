import type { RequestFacts } from '../../http/request-facts.ts'
import type { Principal } from '../principal.ts'

/** A request that was let in. */
export interface Entrant {
  readonly request: Request
  readonly facts: RequestFacts
  readonly principal: Principal
  /** Another process let it in first, because the session it names is here. */
  readonly isForwarded: boolean
}
