import type { Chain } from '../../../shared/chains.ts'
import type { OtherChain, ServiceFacts } from '../../../shared/service-facts.ts'
import type { ProbeError, Target } from '../../../shared/verifier-protocol.ts'

/** One HTTP exchange with the service under test, bound to its deadline. Rejects with an `EgressError`. */
export type ProbeExchange = (request: {
  url: string
  method: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  body?: string
  takesRedirects?: boolean
}) => Promise<{ status: number; text: string; headers: Headers }>

/** Newest block of a service: height, timestamp in Unix seconds where it is told, first 8 bytes of its hash in hex where there is one. */
export interface ProbedHead {
  height: number
  timestamp: number | null
  hash8: string | null
}

/** What one probe found. `ok` says that an answer came; `error` beside it makes the answer worthless (wrong chain). */
export type ProbeFinding =
  | {
      ok: true
      head: ProbedHead | null
      error: 'WRONG_CHAIN' | 'WRONG_GENESIS' | null
      /** Beside `WRONG_CHAIN`. */
      otherChain?: OtherChain
    }
  | { ok: false; error: ProbeError }

/** How one family of services is asked. Implementations throw `ProbeFailure`; `run.ts` turns it into a finding. */
export interface Probe {
  /** Head, and identity where one round trip gives both. */
  head(target: Target, chain: Chain | null, exchange: ProbeExchange): Promise<ProbeFinding>
  /** First 8 bytes of the hash at a height; null where the family has no such call. */
  hashAt?(target: Target, height: number, exchange: ProbeExchange): Promise<string | null>
  /** Genesis hash in full, as the chain's `genesisHash` writes it; null where the family has no such call. */
  genesis?(target: Target, exchange: ProbeExchange): Promise<string | null>
  /** The chain id, in families whose head does not name it; null where this service does not tell it. */
  chainId?(target: Target, exchange: ProbeExchange): Promise<string | null>
  /** What else can be found out of a node whose head is at `height`. Reports each fact as soon as it is known. */
  facts?(
    target: Target,
    height: number,
    exchange: ProbeExchange,
    found: (facts: ServiceFacts) => void,
  ): Promise<void>
}

/** A probe that got no usable answer. */
export class ProbeFailure extends Error {
  override readonly name = 'ProbeFailure'
  readonly error: ProbeError
  constructor(error: ProbeError) {
    super(error)
    this.error = error
  }
}
