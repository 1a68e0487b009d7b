import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import { TRPCClientError } from '@trpc/client'
import type { Operation, TRPCLink } from '@trpc/client'
import type { inferRouterOutputs } from '@trpc/server'
import { tap } from '@trpc/server/observable'

import type { AppRouter } from '../server/compose/router.ts'
import type { InvalidField } from '../shared/faults.ts'
import { idempotencyHeader } from '../shared/idempotency.ts'
import { AuthRefusal } from './accounts/auth-calls.ts'
import { BareAnswer, fetchAnswer } from './bare-answer.ts'
import { callOutcomes, outcomeOfError, outcomeOfResult } from './call-outcome.ts'
import type { ConsoleCallOutcome } from './call-outcome.ts'
import { tellOtherWindows } from './frame/other-windows.ts'
import { bareAnswerText, ReportedError, unreachableText } from './reported-error.ts'
import { changeEnded, keyOfChange } from './sent-change.ts'
import { teamHeaders, withTeam } from './teams/chosen-team.ts'

const url = '/trpc'
/** Longer batches of queries are sent as several. */
const maxURLLength = 2_000
/**
 * Queries that go alone. The ids of `services.recent` make an address that is longer than a batch may be, though still short
 * enough for a server. The menu asks for `alerts.firing` beside every page, and no page should wait for it.
 */
const unbatched: ReadonlySet<string> = new Set(['services.recent', 'alerts.firing'])
/** The server takes no more calls in one request. */
const maxItems = 20

/** The team, and the key of a change that is perhaps sent again: it goes alone, as a request has one key. */
function headersOf({ opList: [first] }: { readonly opList: readonly Operation[] }): Record<string, string> {
  const key = first?.context[idempotencyHeader]
  return { ...teamHeaders(), ...(typeof key === 'string' && { [idempotencyHeader]: key }) }
}

const overHttp = { url, headers: headersOf, fetch: fetchAnswer }

function tell(outcome: ConsoleCallOutcome | null): void {
  if (outcome !== null) void callOutcomes.trigger(outcome)
}

/** Tells the frame how calls end, and other windows of what was changed. */
const watching: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    next(op).pipe(
      tap({
        next({ result }) {
          tell(outcomeOfResult(result))
          if (op.type === 'mutation') tellOtherWindows()
        },
        error: (error) => tell(outcomeOfError(error)),
      }),
    )

/** Gives a change its key. */
const keyed: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    const key = op.type === 'mutation' ? keyOfChange(op.path, op.input) : null
    if (key === null) return next(op)
    return next({ ...op, context: { ...op.context, [idempotencyHeader]: key } }).pipe(
      tap({
        next: () => changeEnded(key, 'done'),
        error: (error) => changeEnded(key, isAnswerLost(error) ? 'unanswered' : 'refused'),
      }),
    )
  }

/** The server's procedures. Subscriptions come as events over one connection each; they come again by themselves. */
export const trpc = createTRPCClient<AppRouter>({
  links: [
    watching,
    keyed,
    splitLink({
      condition: ({ type }) => type === 'subscription',
      true: httpSubscriptionLink({ url: () => withTeam(url) }),
      false: splitLink({
        condition: ({ path, context }) => unbatched.has(path) || idempotencyHeader in context,
        true: httpBatchLink({ ...overHttp, maxItems: 1 }),
        false: httpBatchLink({ ...overHttp, maxItems, maxURLLength }),
      }),
    }),
  ],
})

/** What procedures answer: `Answers['apiKeys']['list']`. */
export type RouterAnswers = inferRouterOutputs<AppRouter>

const isOfRouter = (error: unknown): error is TRPCClientError<AppRouter> => error instanceof TRPCClientError

/** The code of a refusal, as `shared/faults.ts` has it; null for anything else, a lost connection among it. */
export function faultOf(error: unknown): string | null {
  if (error instanceof AuthRefusal) return error.code
  return isOfRouter(error) ? (error.data?.fault ?? null) : null
}

/** The fields that a call was refused for; none where the text alone says it. */
export const refusedFieldsOf = (error: unknown): readonly InvalidField[] =>
  isOfRouter(error) ? (error.data?.fields ?? []) : []

/** Whether a call was sent and no answer of the server came back, so that nobody knows what it did. */
function isAnswerLost(error: unknown): boolean {
  if (!isOfRouter(error) || (error.data !== null && error.data !== undefined)) return false
  const { cause } = error
  return !(cause instanceof BareAnswer) || cause.status === 502 || cause.status === 504
}

/** What to tell a person. */
export function callErrorText(error: unknown): string {
  if (error instanceof ReportedError) return error.message
  if (!isOfRouter(error)) return unreachableText
  if (error.data !== null && error.data !== undefined) return error.message
  const { cause } = error
  return (
    (cause instanceof BareAnswer ? (cause.said ?? bareAnswerText(cause.status)) : null) ?? unreachableText
  )
}
