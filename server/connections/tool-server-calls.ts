import type { ConnectionView } from '../../shared/connections.ts'
import { withDeadlineSignal } from '../platform/deadline.ts'
import type { Downstream } from './downstream/downstream.ts'
import type { ByteCounts } from './downstream/exchanges.ts'
import { DownstreamRefusal, timedOut } from './downstream/failure.ts'
import { urlElicitationsIn } from './downstream/url-elicitations.ts'
import type { DownstreamCalls } from './downstream-calls.ts'
import { type FindRoute, isRoute } from './find-route.ts'
import type {
  ToolCallResult,
  ConnectResult,
  ListedTool,
  NamedToolCall,
  ToolListResult,
  ToolSource,
} from './call-results.ts'
import type { Route } from './route.ts'
import type { CallLink, OfferedCredentials, Scope, ConnectionTarget } from './scope.ts'
import type { ConnectionSettings } from './settings.ts'
import {
  type BeginToolCall,
  type ToolCallClass,
  type ToolCallHooks,
  toolSourceOf,
  toolCallOf,
} from './tool-call.ts'
import { askableIn } from './tools/askable.ts'
import { type HeaderTools, bytesBeyond, callTool } from './tools/call-tool.ts'
import { createDefinitionScans } from './tools/definition-scans.ts'
import { type ToolList, listTools } from './tools/list-tools.ts'
import type { CheckAccepted } from './tools/accepted-only.ts'
import type { OtherServer } from './tools/shadowed-names.ts'
import { isChanged } from './tools/pins.ts'
import { serverInstructions } from './tools/server-instructions.ts'
import type { UnroutedCalls } from './unrouted-calls.ts'
import { type IsReadOnlyTool, isReadOnly } from './tools/read-only-tools.ts'

export interface ToolServerCallsOptions {
  readonly findRoute: FindRoute
  readonly downstreamCalls: DownstreamCalls
  readonly settings: ConnectionSettings
  readonly begin: BeginToolCall
  readonly headerTools: HeaderTools
  readonly isReadOnlyTool: IsReadOnlyTool
  readonly refusalOf: ToolCallHooks['refusalOf']
  readonly checkAccepted: CheckAccepted
  readonly unrouted: UnroutedCalls
  get(scope: Scope, connectionId: string): Promise<ConnectionView | null>
  /** Returns the tools of the scope's other connections. Never rejects. */
  otherServers(scope: Scope, route: Route): Promise<readonly OtherServer[]>
}

/** The three calls to tool servers: connect, list tools, call a tool. */
export function createToolServerCalls(options: ToolServerCallsOptions) {
  const { findRoute, downstreamCalls, settings, begin, headerTools, isReadOnlyTool } = options
  const { checkAccepted, unrouted, get, otherServers } = options
  const refusalOf = createRefusalOf(options.refusalOf)
  const limits = settings.downstream
  const scans = createDefinitionScans()

  const listed = (
    scope: Scope,
    downstream: Downstream,
    route: Route,
    caller: AbortSignal,
    timeoutMs: number,
  ) =>
    withDeadlineSignal(caller, timeoutMs, timedOut, (signal) =>
      listTools(downstream, route, { headerTools, scans, limits }, otherServers(scope, route), signal),
    )

  async function connected(
    scope: Scope,
    route: Route,
    downstream: Downstream,
    list: ToolList,
  ): Promise<ConnectResult> {
    const connection = await get(scope, route.connectionId)
    if (connection === null) return { outcome: 'unknown_connection' } // deleted meanwhile
    return {
      outcome: 'connected',
      connection,
      server: downstream.server,
      protocolVersion: downstream.protocolVersion,
      ...listedNames(list),
      instructions: serverInstructions(downstream),
    }
  }

  const called = (route: Route, call: NamedToolCall, link: CountedLink): Promise<SentCallResult> =>
    downstreamCalls.run(route, link.signal, 'calling', async (downstream): Promise<SentCallResult> => {
      try {
        const result = await callTool(downstream, call, link, headerTools, limits)
        void route.recordStatus('connected')
        if (result.resultType === 'input_required')
          return { outcome: 'input_required', ...namesOf(route), result }
        const bytes = bytesBeyond(result, route.use.resultBytes)
        if (bytes !== null) return resultTooLarge(route, bytes)
        const changed = isChanged(route.pins(), route.key, call.name)
        return { outcome: 'answered', ...namesOf(route), result, changed }
      } catch (error) {
        if (!(error instanceof DownstreamRefusal)) throw error
        return refusedBy(route, error)
      }
    })

  return {
    refusalOf,
    async connect(
      scope: Scope,
      target: ConnectionTarget,
      offered: OfferedCredentials,
      link: CallLink,
    ): Promise<ConnectResult> {
      const route = askingRoute(await findRoute(scope, target, offered), link)
      if (!isRoute(route)) return route
      return downstreamCalls.run(route, link.signal, 'connecting', async (downstream) => {
        const list = await listed(scope, downstream, route, link.signal, limits.connectMs)
        await route.recordStatus('connected')
        return connected(scope, route, downstream, list)
      })
    },

    async listTools(
      scope: Scope,
      target: ConnectionTarget,
      offered: OfferedCredentials,
      link: CallLink,
    ): Promise<ToolListResult> {
      const route = askingRoute(await findRoute(scope, target, offered), link)
      if (!isRoute(route)) return route
      return downstreamCalls.run(route, link.signal, 'calling', async (downstream) => {
        const list = await listed(scope, downstream, route, link.signal, limits.callMs)
        void route.recordStatus('connected')
        const answer = { ...namesOf(route), instructions: serverInstructions(downstream) }
        return { outcome: 'listed', ...answer, ...withRefusals(list, scope, route, refusalOf) }
      })
    },

    async callTool(
      scope: Scope,
      target: ConnectionTarget,
      call: NamedToolCall,
      offered: OfferedCredentials,
      link: CallLink,
    ): Promise<ToolCallResult> {
      const found = findRoute(scope, target, offered)
      const route = askingRoute(found instanceof Promise ? await found : found, link)
      if (!isRoute(route)) return unrouted(scope, target, call, link.door ?? 'execute', route)
      const isKept = scope.sessionId !== '' || route.kind === 'saved'
      if (!isKept && !downstreamCalls.isStateless(route)) return { outcome: 'session_needed' }
      const denied = blocksChanged(route) ? await checkAccepted(route, call.name, link.signal) : null
      if (denied !== null && 'outcome' in denied) return denied
      const asked = { ...call, isReadOnly: () => isReadOnlyTool(route, call.name, link.signal) }
      const beginning = begin(toolCallOf(scope, route, link.door ?? 'execute', asked), denied)
      const begun = beginning instanceof Promise ? await beginning : beginning
      if (!('end' in begun)) {
        return { outcome: 'denied', message: begun.message, retryAfterSec: begun.retryAfterSec }
      }
      const { traffic, end } = begun
      try {
        const outcome = await called(route, call, { ...link, traffic })
        const result = 'result' in outcome ? outcome.result : null
        countResult(traffic, result)
        end(classOf(outcome), result)
        return outcome
      } catch (error) {
        end('failed')
        throw error
      }
    },
  }
}

function withRefusals(
  list: ToolList,
  scope: Scope,
  route: Route,
  refusalOf: ReturnType<typeof createRefusalOf>,
): ToolList & { readonly source: ToolSource } {
  const source = toolSourceOf(route)
  const tools = list.tools.map((tool) => ({ ...tool, refusal: refusalOf(scope, source, tool) }))
  return { ...list, source, tools }
}

const refusedBy = (
  { service: { serviceId } }: Route,
  { code, message, data }: DownstreamRefusal,
): SentCallResult => ({
  outcome: 'refused',
  serviceId,
  error: { code, message },
  elicitations: urlElicitationsIn(code, data),
})

const createRefusalOf =
  (refusalOf: ToolCallHooks['refusalOf']) =>
  (
    { accountId, keyId }: Pick<Scope, 'accountId' | 'keyId'>,
    source: ToolSource,
    { definition, changed }: ListedTool,
  ): string | null => {
    const asked = { accountId, keyId: keyId ?? null, ...source, tool: definition.name }
    return refusalOf?.(asked, isReadOnly(definition) && !changed) ?? null
  }

type Found = Awaited<ReturnType<FindRoute>>

/** Returns the route on which the tool server knows what this caller can be asked. */
function askingRoute(route: Found, { ask, clientCapabilities = {} }: CallLink): Found {
  if (ask === undefined || !isRoute(route)) return route
  const declared = askableIn(clientCapabilities)
  if (Object.keys(declared).length === 0) return route
  return { ...route, key: { ...route.key, askable: JSON.stringify(declared) } }
}

const listedNames = ({ tools, leftOut }: ToolList) => ({
  toolNames: tools.map(({ definition }) => definition.name),
  leftOut,
})

/** The result of a call that was sent, or failed on the way. */
type SentCallResult = Exclude<ToolCallResult, { readonly outcome: 'session_needed' | 'unknown_connection' }>

type CountedLink = CallLink & { readonly traffic: ByteCounts }

function classOf(outcome: SentCallResult): ToolCallClass {
  if (outcome.outcome !== 'answered') return outcome.outcome
  return outcome.result.isError === true ? 'tool_error' : 'ok'
}

/** What comes over a standing stream is counted for the whole connection, and so a result by its own size. */
function countResult(traffic: ByteCounts, result: object | null): void {
  if (result !== null && traffic.received === 0) traffic.received = Buffer.byteLength(JSON.stringify(result))
}

const blocksChanged = ({ use }: Route): boolean => use.onChange === 'block'

const resultTooLarge = ({ service: { serviceId }, use }: Route, bytes: number): SentCallResult => ({
  outcome: 'too_large',
  serviceId,
  what: 'result',
  size: { bytes, most: use.resultBytes },
})

const namesOf = ({ connectionId, authSource }: Route) => ({ connectionId, authSource })
