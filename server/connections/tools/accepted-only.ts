import { withDeadlineSignal } from '../../platform/deadline.ts'
import type { Clock } from '../../platform/clock.ts'
import type { CallFailure } from '../call-results.ts'
import type { DownstreamCalls } from '../downstream-calls.ts'
import { timedOut } from '../downstream/failure.ts'
import type { DownstreamLimits } from '../downstream/limits.ts'
import type { Route } from '../route.ts'
import type { DeniedToolCall } from '../tool-call.ts'
import { askableOf } from './askable.ts'
import { type Pins, isAcceptedTool, seenList } from './pins.ts'
import { readTools } from './read-tools.ts'
import { RecentMap } from '../../platform/recent-map.ts'

/**
 * Says why a tool of a connection must not be called, or returns null. Where the owner has changed tools blocked, a call
 * is for a definition that was accepted: the list is read again when it is older than a minute, so that a change is
 * noticed before the call, whichever door it comes through.
 */
export type CheckAccepted = (
  route: Route,
  tool: string,
  signal: AbortSignal,
) => Promise<DeniedToolCall | CallFailure | null>

const freshMs = 60_000
const maxRemembered = 10_000

interface AcceptedOnlyOptions {
  readonly downstreamCalls: Pick<DownstreamCalls, 'run'>
  readonly limits: DownstreamLimits
  readonly clock: Pick<Clock, 'monotonic'>
}

export function createCheckAccepted({ downstreamCalls, limits, clock }: AcceptedOnlyOptions): CheckAccepted {
  const readAt = new RecentMap<string, number>(maxRemembered)

  const read = (route: Route, caller: AbortSignal): Promise<Pins | CallFailure> =>
    downstreamCalls.run(route, caller, 'calling', (downstream) =>
      withDeadlineSignal(caller, limits.callMs, timedOut, async (signal) => {
        const { tools } = await readTools(downstream, limits, signal)
        return route.pin(seenList(route.key, tools), tools)
      }),
    )

  return async (route, tool, signal) => {
    const id = JSON.stringify([route.connectionId, askableOf(route.key)])
    const last = readAt.get(id)
    const known = route.pins()
    const isFresh = last !== undefined && clock.monotonic() - last < freshMs
    const pins = isFresh && known !== null ? known : await read(route, signal)
    if ('outcome' in pins) return pins
    if (!isFresh) readAt.set(id, clock.monotonic())
    return isAcceptedTool(pins, route.key, tool) ? null : notAccepted
  }
}

const notAccepted: DeniedToolCall = {
  admitted: false,
  rule: 'changed_tool',
  message:
    'The definition of this tool is not one that the owner of this connection has accepted, and the owner has changed tools blocked. It was not called. The owner reviews and accepts it in the console, under Gateway, Connections.',
  retryAfterSec: null,
}
