import type { EndpointSpec } from '../../shared/endpoints.ts'

/** An endpoint that is active, as far as it depends on services. */
interface UsedEndpoint {
  readonly spec: EndpointSpec
  readonly managedBy: 'file' | 'operator'
}

/**
 * Which endpoints depend on which services. Health asks it before a service is changed or removed. It is created before
 * both parts, because endpoints themselves depend on health; no endpoint is active until they have connected.
 */
export function createEndpointUsage() {
  let active: (() => readonly UsedEndpoint[]) | null = null
  const namesWhere = (matches: (endpoint: UsedEndpoint) => boolean): string[] =>
    (active?.() ?? []).filter(matches).map(({ spec }) => spec.name)

  return {
    /** Connects the endpoints, once. `read` returns the active ones in alphabetical order. */
    connect(read: () => readonly UsedEndpoint[]): void {
      active = read
    },

    /** Returns the names of the endpoints with a service among their upstreams, in alphabetical order. */
    endpointsUsing: (serviceId: string): string[] =>
      namesWhere(({ spec }) => spec.upstreams.some(({ service }) => service === serviceId)),

    /** Returns the names of the file's endpoints with a WebSocket address that must be on the host of a service. */
    endpointsOnHostOf: (serviceId: string): string[] =>
      namesWhere(
        ({ spec, managedBy }) =>
          managedBy === 'file' &&
          spec.upstreams.some(({ service, ws }) => service === serviceId && ws !== undefined),
      ),
  }
}

export type EndpointUsage = ReturnType<typeof createEndpointUsage>
