import * as z from 'zod/mini'

import { handedBack, idText } from './text.ts'

/** What an agent may be allowed to do. Making keys is no scope: an agent does not hand out keys. */
export const agentScopes = ['gateway_use', 'statistics_read'] as const
export type AgentScope = (typeof agentScopes)[number]

/** Where the answer of the consent page goes. */
export type RedirectKind = 'site' | 'this_machine' | 'program'

export interface AnswerPlace {
  readonly host: string
  readonly kind: RedirectKind
  /** Of a program on this computer, which listens there. Null: its address names none. */
  readonly port: number | null
}

/** Parameters of a request for access, as the client wrote them. */
const Query = handedBack(4_096)

export const AgentQuestion = z.object({ query: Query })

export const AgentDecision = z.object({
  query: Query,
  /** Of what was shown. */
  fingerprint: idText(100),
  /** Null: declined. */
  scopes: z.nullable(z.array(z.enum(agentScopes)).check(z.maxLength(agentScopes.length))),
})

export const AgentById = z.object({ id: idText(100) })

/** Why the consent page has nothing to ask, and nobody is sent anywhere. */
export type AgentProblem =
  | 'client_unknown'
  | 'client_unreadable'
  | 'client_not_admitted'
  | 'redirect_not_registered'
  | 'request_malformed'
  | 'too_many_agents'

/** What the consent page shows. */
export interface AgentRequestView {
  readonly clientName: string
  /** The host of the client's document; null for a client that nobody has verified. */
  readonly verifiedHost: string | null
  readonly sendsTo: AnswerPlace
  readonly scopes: readonly AgentScope[]
  /** The one that cannot be left out. */
  readonly leastScope: AgentScope
  /** A path: `/mcp`, `/mcp/c/<connection>` or `/account`. */
  readonly resource: string
  readonly fingerprint: string
}

export type AgentAnswer =
  | { readonly kind: 'ask'; readonly request: AgentRequestView }
  | { readonly kind: 'back'; readonly redirectTo: string }
  | { readonly kind: 'problem'; readonly problem: AgentProblem; readonly text: string }

/** Instants in epoch ms. */
export interface AgentGrantView {
  readonly id: string
  readonly accountId: string
  readonly clientId: string
  readonly clientName: string
  readonly verifiedHost: string | null
  readonly redirectHost: string
  readonly scopes: readonly AgentScope[]
  readonly resource: string
  readonly createdAt: number
  readonly usedAt: number | null
  readonly expiresAt: number
}

/** An agent whose access has ended because a refresh token of it was used twice: perhaps it was stolen. Epoch ms. */
export interface ReusedTokenView extends Pick<
  AgentGrantView,
  'id' | 'clientName' | 'verifiedHost' | 'redirectHost'
> {
  readonly endedAt: number
}
