import * as z from 'zod/mini'

import { ChainsSection } from './chains.ts'
import { ServiceSpec } from './health.ts'

export const VerifiersSection = z.strictObject({
  builtIn: z._default(z.boolean(), true),
  // Hosts that answer as long as the network does: a verifier that cannot reach them distrusts itself.
  canaries: z._default(z.array(z.url({ protocol: /^https?$/, error: 'an http or https address' })), []),
})

/** The declarative file. Everything that comes from it is shown as "managed by file" and changed only there. */
export const GatehouseFile = z.strictObject({
  chains: z._default(ChainsSection, {}), // additions to the built-in chains, or overrides of them
  services: z._default(z.array(ServiceSpec), []),
  verifiers: z._default(VerifiersSection, { builtIn: true, canaries: [] }),
})
export type GatehouseFile = z.infer<typeof GatehouseFile>
