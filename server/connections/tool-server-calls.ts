import type { ConnectionView } from '../../shared/connections.ts'
import { withDeadlineSignal } from '../platform/deadline.ts'
import type { Downstream } from './downstream/downstream.ts'
import { DownstreamRefusal, timedOut } from './downstream/failure.ts'
import type { DownstreamCalls } from './downstream-calls.ts'
import { type FindRoute, isRoute } from './find-route.ts'
import type { ToolCallResult, ConnectResult, ListedTool, ToolCall, ToolListResult } from './call-results.ts'
import type { Route } from './route.ts'
import type { CallLink, OfferedCredentials, Scope, ConnectionTarget } from './scope.ts'
import type { ConnectionSettings } from './settings.ts'
import { callTool, createHeaderTools } from './tools/call-tool.ts'
import { listTools } from './tools/list-tools.ts'
import { isChanged } from './tools/pins.ts'

export interface ToolServerCallsOptions {
  readonly findRoute: FindRoute
  readonly downstreamCalls: DownstreamCalls
  readonly settings: ConnectionSettings
  get(scope: Scope, connectionId: string): Promise<ConnectionView | null>
}

const maxInstructionsChars = 4_096

/** The three calls to tool servers: connect, list tools, call a tool. */
export function createToolServerCalls({ findRoute, downstreamCalls, settings, get }: ToolServerCallsOptions) {
  const limits = settings.downstream
  const headerTools = createHeaderTools()

  const listed = (downstream: Downstream, route: Route, caller: AbortSignal, timeoutMs: number) =>
    withDeadlineSignal(caller, timeoutMs, timedOut, (signal) =>
      listTools(downstream, route, headerTools, { limits, signal }),
    )

  async function connected(
    scope: Scope,
    route: Route,
    downstream: Downstream,
    tools: readonly ListedTool[],
  ): Promise<ConnectResult> {
    const connection = await get(scope, route.connectionId)
    if (connection === null) return { outcome: 'unknown_connection' } // deleted meanwhile
    return {
      outcome: 'connected',
      connection,
      server: downstream.server,
      protocolVersion: downstream.protocolVersion,
      toolNames: tools.map(({ definition }) => definition.name),
      instructions: downstream.instructions?.slice(0, maxInstructionsChars) ?? null,
    }
  }

  return {
    async connect(
      scope: Scope,
      target: ConnectionTarget,
      offered: OfferedCredentials,
      { signal }: CallLink,
    ): Promise<ConnectResult> {
      const route = await findRoute(scope, target, offered)
      if (!isRoute(route)) return route
      return downstreamCalls.run(route, signal, 'connecting', async (downstream) => {
        const { tools } = await listed(downstream, route, signal, limits.connectMs)
        await route.recordStatus('connected')
        return connected(scope, route, downstream, tools)
      })
    },

    async listTools(
      scope: Scope,
      target: ConnectionTarget,
      offered: OfferedCredentials,
      { signal }: CallLink,
    ): Promise<ToolListResult> {
      const route = await findRoute(scope, target, offered)
      if (!isRoute(route)) return route
      return downstreamCalls.run(route, signal, 'calling', async (downstream) => {
        const list = await listed(downstream, route, signal, limits.callMs)
        void route.recordStatus('connected')
        return { outcome: 'listed', ...namesOf(route), ...list }
      })
    },

    async callTool(
      scope: Scope,
      target: ConnectionTarget,
      call: ToolCall,
      offered: OfferedCredentials,
      link: CallLink,
    ): Promise<ToolCallResult> {
      const found = findRoute(scope, target, offered)
      const route = found instanceof Promise ? await found : found
      if (!isRoute(route)) return route
      const isKept = scope.sessionId !== '' || route.kind === 'saved'
      if (!isKept && !downstreamCalls.isStateless(route)) return { outcome: 'session_needed' }
      return downstreamCalls.run(
        route,
        link.signal,
        'calling',
        async (downstream): Promise<ToolCallResult> => {
          try {
            const result = await callTool(downstream, call, link, headerTools, limits)
            void route.recordStatus('connected')
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
        },
      )
    },
  }
}

const namesOf = ({ connectionId, authSource }: Route) => ({ connectionId, authSource })
