import { initTRPC } from '@trpc/server'

import type { Role } from '../../shared/accounts.ts'
import type { Caller } from '../platform/http/caller.ts'
import { fault } from '../platform/fault.ts'
import { errorOf, publicMessage, refusalFacts, trpcRefusalOf } from './errors.ts'
import { type AuditActor, cliActor } from '../../shared/audit.ts'
import type { Author } from '../keys/changes.ts'

/** Who calls a procedure, and from where. */
export interface CallContext {
  /** Null: nobody signed in, or the command line. */
  readonly account: CallingAccount | null
  /** By which `account` is signed in; null where that is. */
  readonly session: CallingSession | null
  /** Operators run the installation; the command line on the server's host is one, by its access to the socket. */
  readonly isOperator: boolean
  readonly requestId: string
  readonly caller: Caller
}

export interface CallingAccount {
  readonly id: string
  readonly role: Role
  /** False: an operator has to approve it first, and until then it may do nothing. */
  readonly isApproved: boolean
  /** What to call it in the audit log: the identity it signed in with, never what it shares of itself. */
  readonly label: string
  /** By which a program acts for the account; absent for somebody who is signed in. */
  readonly apiKey?: AuditActor
}

export interface CallingSession {
  readonly id: string
  /** Whether its owner proved who they are a short while ago. */
  readonly isFresh: boolean
  /** Until when that counts, in epoch ms. */
  readonly freshUntil: number
}

/** What the command line is: an operator without an account, on the server's own host. */
export const commandLineContext = (requestId: string): CallContext => ({
  account: null,
  session: null,
  isOperator: true,
  requestId,
  caller: { address: null, origin: null },
})

const trpc = initTRPC.context<CallContext>().create({
  isDev: false, // otherwise errors carry stacks
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    message: publicMessage(error),
    data: { ...shape.data, ...refusalFacts(error) },
  }),
  sse: {
    // Bun closes a connection that is silent longer than its time-out, and proxies do, too.
    ping: { enabled: true, intervalMs: 5_000 },
    // The browser comes again at once, and whether it is still signed in is looked at anew.
    maxDurationMs: 300_000,
    client: { reconnectAfterInactivityMs: 15_000 },
  },
})

/** Refusals keep their text; anything else that is thrown stays internal. */
const refusalsBecomeErrors = trpc.middleware(async ({ next, getRawInput }) => {
  const result = await next()
  if (result.ok) return result
  const refused = await trpcRefusalOf(result.error, getRawInput)
  if (refused === null) return result
  throw errorOf(refused)
})

function requireApproval({ isApproved }: CallingAccount): void {
  if (isApproved) return
  throw fault('account_not_approved', 'An operator of this installation has to approve your account first')
}

const signedInOnly = trpc.middleware(({ ctx: { account, session }, next }) => {
  if (account === null || session === null) throw fault('unauthorized', 'Sign in first')
  requireApproval(account)
  return next({ ctx: { account, session } })
})

const membersOnly = trpc.middleware(({ ctx, next }) => {
  if (ctx.account === null && !ctx.isOperator) throw fault('unauthorized', 'Sign in first')
  if (ctx.account !== null) requireApproval(ctx.account)
  return next()
})

/** The text of a refusal whose remedy is to prove once more who one is. */
const staleSessionText = 'Confirm first who you are: sign once more with your wallet or at your provider'

const freshOnly = trpc.middleware(({ ctx: { session }, next }) => {
  if (session?.isFresh !== true) throw fault('stale_session', staleSessionText)
  return next()
})

const operatorsOnly = trpc.middleware(({ ctx, next }) => {
  if (!ctx.isOperator) throw fault('forbidden', 'for operators of this installation')
  return next()
})

const commandLineOnly = trpc.middleware(({ ctx, next }) => {
  if (ctx.account !== null || !ctx.isOperator)
    throw fault('forbidden', "for the command line on the server's host")
  return next()
})

export const router = trpc.router
export const publicProcedure = trpc.procedure.use(refusalsBecomeErrors)
/** Has `ctx.account` and `ctx.session`. Not for the command line. */
export const signedInProcedure = publicProcedure.use(signedInOnly)
/** For everybody who is signed in, and for the command line. */
export const memberProcedure = publicProcedure.use(membersOnly)
/** For what must not be done by somebody who found an unlocked computer. */
export const freshProcedure = signedInProcedure.use(freshOnly)
export const operatorProcedure = publicProcedure.use(operatorsOnly)
/** For what even an operator's browser must not be able to do. */
export const commandLineProcedure = publicProcedure.use(commandLineOnly)

/** Who calls a `signedInProcedure`. */
export interface SignedIn extends CallContext {
  readonly account: CallingAccount
}

const actorOf = ({ account }: CallContext): AuditActor =>
  account === null ? cliActor : (account.apiKey ?? { id: account.id, label: account.label })

/** Who did something, for the audit log: an account, an API key, or the command line. */
export const authorOf = (
  context: CallContext,
): { actor: AuditActor; ip: string | null; requestId: string } => ({
  actor: actorOf(context),
  ip: context.caller.address,
  requestId: context.requestId,
})

/** Everybody acts on what is their own, operators among them. */
export const ownerOf = (ctx: SignedIn): Author => onBehalfOf(ctx.account.id, ctx)

/** Of operators, who act on what belongs to any account: the command line has none of its own. */
export const onBehalfOf = (accountId: string, context: CallContext): Author => ({
  accountId,
  ...authorOf(context),
})
