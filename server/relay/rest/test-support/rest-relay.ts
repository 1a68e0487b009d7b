import { type RelayScenario, startTestRelay } from '../../test-support/relay-under-test.ts'

/** A relay before nodes that are called by paths. The first of them is called first. */
export function startRestRelay(
  nodes: readonly { readonly url: string }[],
  allow: readonly string[],
  world: Partial<RelayScenario> = {},
) {
  return startTestRelay({
    upstreams: nodes.map(({ url }, index) => ({ url, serviceId: `service-${index}` })),
    decisionOf: (id) => (id === 'service-0' ? 'UP' : 'LATENCY'),
    ...world,
    endpoint: {
      family: 'beacon',
      methods: { allow: [...allow], deny: [], unknown: 'refuse' },
      ...world.endpoint,
    },
  })
}
