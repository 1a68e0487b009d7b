import { initTRPC } from '@trpc/server'
// Marks the result of a middleware that does not go on to the procedure; tRPC exports it nowhere else.
import { middlewareMarker } from '@trpc/server/unstable-core-do-not-import'

import type { Caller } from '../platform/http/caller.ts'
import { type Fault, fault } from '../platform/fault.ts'
import { type CallingAccount, type ChosenTeam, teamAccount } from './team-account.ts'
import { errorOf, publicMessage, refusalFacts, trpcRefusalOf } from './errors.ts'
import { type AuditActor, cliActor } from '../../shared/audit.ts'
import type { Author } from '../keys/changes.ts'

/** Who calls a procedure, and from where. */
export interface CallContext {
  /** That of the person, and in procedures for teams that of the team. Null: nobody signed in, or the command line. */
  readonly account: CallingAccount | null
  /** By which `account` is signed in; null where that is. */
  readonly session: CallingSession | null
  /** Operators run the installation; the command line on the server's host is one, by its access to the socket. */
  readonly isOperator: boolean
  readonly requestId: string
  readonly caller: Caller
}

/** A call that its sender may send again. */
export interface RepeatableCall extends CallContext {
  /** Does a change of an account once, however often the call comes; absent: the call has no key. */
  readonly once?: (accountId: string, content: string, work: () => Promise<unknown>) => Promise<unknown>
}

export type { CallingAccount } from './team-account.ts'

export interface CallingSession {
  readonly id: string
  /** Whether its owner proved who they are a short while ago. */
  readonly isFresh: boolean
  /** Until when that counts, in epoch ms. */
  readonly freshUntil: number
  /** The team for which they want to act, or why they may not; absent: they act for themselves. */
  readonly team?: ChosenTeam | Fault | undefined
}

/** What the command line is: an operator without an account, on the server's own host. */
export const commandLineContext = (requestId: string): CallContext => ({
  account: null,
  session: null,
  isOperator: true,
  requestId,
  caller: { address: null, origin: null },
})

const trpc = initTRPC.context<RepeatableCall>().create({
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

type Call = Parameters<typeof teamAccount>[2]

/** The account for which a procedure works: the person's, or that of the team that they have chosen. */
function actingAccount(person: CallingAccount, session: CallingSession | null, call: Call): CallingAccount {
  requireApproval(person)
  return session?.team === undefined ? person : teamAccount(person, session.team, call)
}

const signedInOnly = trpc.middleware(({ ctx: { account, session }, path, type, next }) => {
  if (account === null || session === null) throw fault('unauthorized', 'Sign in first')
  return next({ ctx: { account: actingAccount(account, session, { path, type }), session } })
})

const accountsOnly = trpc.middleware(({ ctx: { account, session }, path, type, next }) => {
  if (account === null) throw fault('unauthorized', 'Sign in first')
  return next({ ctx: { account: actingAccount(account, session, { path, type }) } })
})

const membersOnly = trpc.middleware(({ ctx: { account, session, isOperator }, path, type, next }) => {
  if (account === null && !isOperator) throw fault('unauthorized', 'Sign in first')
  return next({ ctx: { account: account && actingAccount(account, session, { path, type }) } })
})

const personOnly = trpc.middleware(({ ctx: { account, session }, next }) => {
  if (account === null || session === null) throw fault('unauthorized', 'Sign in first')
  requireApproval(account)
  return next({ ctx: { account, session } })
})

/** The text of a refusal whose remedy is to prove once more who one is. */
const staleSessionText = 'Confirm first who you are: sign once more with your wallet or at your provider'

const freshOnly = trpc.middleware(({ ctx: { session }, next }) => {
  if (session?.isFresh !== true) throw fault('stale_session', staleSessionText)
  return next()
})

const operatorsOnly = trpc.middleware(({ ctx, next }) => {
  if (!ctx.isOperator) throw fault('forbidden', 'Only operators of this installation may do this')
  return next()
})

const commandLineOnly = trpc.middleware(({ ctx, next }) => {
  if (ctx.account !== null || !ctx.isOperator)
    throw fault('forbidden', "for the command line on the server's host")
  return next()
})

/** After the checks of who calls: nobody is answered again who may not call any more. */
const changesOnce = trpc.middleware(async ({ ctx, type, path, getRawInput, next }) => {
  const { account, once } = ctx
  if (type !== 'mutation' || account === null || once === undefined) return next()
  const content = JSON.stringify([path, await getRawInput()])
  const data = await once(account.id, content, async () => {
    const result = await next()
    if (!result.ok) throw result.error
    return result.data
  })
  return { marker: middlewareMarker, ok: true, data, ctx }
})

export const router = trpc.router
export const publicProcedure = trpc.procedure.use(refusalsBecomeErrors)
/** Has `ctx.account`, of the person or the team for which they act, and `ctx.session`. Not for the command line. */
export const signedInProcedure = publicProcedure.use(signedInOnly).use(changesOnce)
/** The same for a program with an API key, which has no session. */
export const accountProcedure = publicProcedure.use(accountsOnly).use(changesOnce)
/** About the person who is signed in, whatever team they have chosen. */
export const personProcedure = publicProcedure.use(personOnly).use(changesOnce)
/** For everybody who is signed in, also for a team, and for the command line. */
export const memberProcedure = publicProcedure.use(membersOnly).use(changesOnce)
/** For what must not be done by somebody who found an unlocked computer. */
export const freshProcedure = publicProcedure.use(signedInOnly).use(freshOnly).use(changesOnce)
export const freshPersonProcedure = publicProcedure.use(personOnly).use(freshOnly).use(changesOnce)
export const operatorProcedure = publicProcedure.use(operatorsOnly).use(changesOnce)
/** For what even an operator's browser must not be able to do. */
export const commandLineProcedure = publicProcedure.use(commandLineOnly)

/** Who calls a `signedInProcedure`. */
export interface SignedIn extends CallContext {
  readonly account: CallingAccount
}

const actorOf = ({ account }: CallContext): AuditActor =>
  account === null ? cliActor : (account.actor ?? { id: account.id, label: account.label })

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
