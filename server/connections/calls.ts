import type { ConnectionView } from '../../shared/connections.ts'
import type { Downstream } from './downstream/downstream.ts'
import { DownstreamRefusal } from './downstream/failure.ts'
import { withTimeout } from './downstream/within-deadline.ts'
import type { Errands } from './errands.ts'
import { type FindRoute, isRoute } from './find-route.ts'
import type { CallOutcome, ConnectOutcome, ToolCall, ToolsOutcome } from './outcomes.ts'
import type { Route } from './route.ts'
import type { CallLink, OfferedCredentials, Scope, Target } from './scope.ts'
import type { ConnectionSettings } from './settings.ts'
import { callTool } from './tools/call-tool.ts'
import { createHeaderTools, listTools } from './tools/list-tools.ts'
import { isChanged } from './tools/pins.ts'

export interface CallsOptions {
  readonly findRoute: FindRoute
  readonly errands: Errands
  readonly settings: ConnectionSettings
  get(scope: Scope, connectionId: string): Promise<ConnectionView | null>
}

const maxInstructionsChars = 4_096

/** What is asked of tool servers. */
export function createCalls({ findRoute, errands, settings, get }: CallsOptions) {
  const limits = settings.downstream
  const headerTools = createHeaderTools()

  const listed = (downstream: Downstream, route: Route, caller: AbortSignal, timeoutMs: number) =>
    withTimeout(caller, timeoutMs, (signal) => listTools(downstream, route, headerTools, { limits, signal }))

  async function connected(scope: Scope, route: Route, downstream: Downstream): Promise<ConnectOutcome> {
    const connection = await get(scope, route.connectionId)
    if (connection === null) return { outcome: 'unknown_connection' } // deleted meanwhile
    return {
      outcome: 'connected',
      connection,
      server: downstream.server,
      protocolVersion: downstream.protocolVersion,
      instructions: downstream.instructions?.slice(0, maxInstructionsChars) ?? null,
    }
  }

  return {
    async connect(
      scope: Scope,
      target: Target,
      offered: OfferedCredentials,
      { signal }: CallLink,
    ): Promise<ConnectOutcome> {
      const route = await findRoute(scope, target, offered)
      if (!isRoute(route)) return route
      return errands.run(route, signal, 'connecting', async (downstream) => {
        await listed(downstream, route, signal, limits.connectMs)
        await route.note('connected')
        return connected(scope, route, downstream)
      })
    },

    async listTools(
      scope: Scope,
      target: Target,
      offered: OfferedCredentials,
      { signal }: CallLink,
    ): Promise<ToolsOutcome> {
      const route = await findRoute(scope, target, offered)
      if (!isRoute(route)) return route
      return errands.run(route, signal, 'calling', async (downstream) => {
        const list = await listed(downstream, route, signal, limits.callMs)
        void route.note('connected')
        return { outcome: 'listed', ...namesOf(route), ...list }
      })
    },

    async callTool(
      scope: Scope,
      target: Target,
      call: ToolCall,
      offered: OfferedCredentials,
      link: CallLink,
    ): Promise<CallOutcome> {
      const found = findRoute(scope, target, offered)
      const route = found instanceof Promise ? await found : found
      if (!isRoute(route)) return route
      const isKept = scope.sessionId !== '' || route.kind === 'saved'
      if (!isKept && !errands.isStateless(route)) return { outcome: 'session_needed' }
      return errands.run(route, link.signal, 'calling', async (downstream): Promise<CallOutcome> => {
        try {
          const result = await callTool(downstream, call, link, headerTools, limits)
          void route.note('connected')
          if (result.resultType === 'input_required')
            return { outcome: 'input_required', ...namesOf(route), result }
          return {
            outcome: 'answered',
            ...namesOf(route),
            result,
            changed: isChanged(route.pins(), call.name),
          }
        } catch (error) {
          if (!(error instanceof DownstreamRefusal)) throw error
          const { code, message } = error
          return { outcome: 'refused', serviceId: route.service.serviceId, error: { code, message } }
        }
      })
    },
  }
}

const namesOf = ({ connectionId, authSource }: Route) => ({ connectionId, authSource })
