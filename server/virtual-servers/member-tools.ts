import type { VirtualMember } from '../../shared/virtual-servers.ts'
import type {
  Connections,
  ConnectionTarget,
  DownstreamServices,
  ListedTool,
  Scope,
  ToolListResult,
} from '../connections/connections.ts'
import { withDeadlineSignal } from '../platform/deadline.ts'
import type { MemberTools } from './expose-tools.ts'

export interface MemberToolsOptions {
  readonly connections: Pick<Connections, 'listTools'>
  readonly services: DownstreamServices
  /** The gateway's own five tools. */
  readonly ownTools: readonly ListedTool['definition'][]
  /** The time (ms) that a member has to list its tools. */
  readonly timeoutMs: number
}

export type ReadMemberTools = (
  scope: Scope,
  member: VirtualMember,
  before: MemberTools | undefined,
) => Promise<MemberTools>

export const noCredentials = { bag: new Map(), headers: new Map(), tokens: new Map() } as const

/** The target of a member's calls; null for a service that the registry does not list, and for the gateway itself. */
export function memberTarget(
  { connection, service, chain }: VirtualMember,
  services: DownstreamServices,
): ConnectionTarget | null {
  if (connection !== undefined) return { kind: 'connection', connectionId: connection }
  const found = service === undefined ? null : services.find(service, chain ?? null)
  return found === null ? null : { kind: 'service', service: found }
}

const timedOut = (): Error => new Error('the tools were not listed in time')

/** Creates the reading of one member's tools. A member that fails is away, and keeps the tools that it had. */
export function createReadMemberTools(options: MemberToolsOptions): ReadMemberTools {
  const { connections, services, ownTools, timeoutMs } = options
  const own: MemberTools = {
    tools: ownTools.map((definition) => ({
      definition,
      changed: false,
      warnings: [],
      findings: [],
      refusal: null,
    })),
    source: null,
    away: null,
  }

  return async (scope, member, before) => {
    if (member.gateway === true) return own
    const away = (why: string): MemberTools => ({
      tools: before?.tools ?? [],
      source: before?.source ?? null,
      away: why,
    })
    const target = memberTarget(member, services)
    if (target === null) return away('the registry does not list it')
    const never = new AbortController().signal
    try {
      const listed = await withDeadlineSignal(never, timeoutMs, timedOut, (signal) =>
        connections.listTools(scope, target, noCredentials, { signal }),
      )
      if (listed.outcome !== 'listed') return away(whyAway(listed))
      return { tools: listed.tools, source: listed.source, away: null }
    } catch {
      return away('its tools could not be read')
    }
  }
}

/** Says why a member gives no tools, to its owner and to agents. */
export function whyAway(result: Exclude<ToolListResult, { outcome: 'listed' }>): string {
  switch (result.outcome) {
    case 'unknown_connection':
      return 'the connection was deleted'
    case 'service_gone':
      return 'the registry does not list it'
    case 'origin_changed':
      return 'the registry names another address than the one the secret was saved for'
    case 'auth_required':
      return 'it does not take the credentials, or wants some'
    case 'consent_needed':
      return 'the owner of the connection has to agree to its access'
    case 'timed_out':
    case 'cancelled':
      return 'it did not answer in time'
    case 'unreachable':
      return 'it cannot be reached'
    case 'too_large':
      return 'its list of tools is too large'
    case 'protocol_error':
      return 'what it answers is not MCP'
    case 'busy':
      return result.isFailing ? 'it has failed too often' : 'too much is under way to it'
  }
}
