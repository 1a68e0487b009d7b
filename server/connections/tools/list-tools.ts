import type { Downstream } from '../downstream/downstream.ts'
import type { DownstreamLimits } from '../downstream/limits.ts'
import type { ListedTool } from '../call-results.ts'
import type { Route } from '../route.ts'
import type { HeaderTools } from './call-tool.ts'
import { changedNames, fingerprintsOf, listFingerprint, removedNames } from './pins.ts'
import { readTools } from './read-tools.ts'
import { warningsOf } from './warnings.ts'

export interface ToolList {
  readonly tools: readonly ListedTool[]
  readonly removed: readonly string[]
  /** The fingerprint of the whole list. */
  readonly fingerprint: string
}

/** Lists the tools and compares them with the accepted definitions. */
export async function listTools(
  downstream: Downstream,
  route: Route,
  headerTools: HeaderTools,
  { limits, signal }: { readonly limits: DownstreamLimits; readonly signal: AbortSignal },
): Promise<ToolList> {
  const definitions = await readTools(downstream, limits, signal)
  headerTools.remember(downstream, definitions)
  const seen = fingerprintsOf(definitions)
  const pins = await route.pin(seen, definitions)
  const changed = new Set(changedNames(pins))
  return {
    tools: definitions.map((definition) => ({
      definition,
      changed: changed.has(definition.name),
      warnings: warningsOf(definition),
    })),
    removed: removedNames(pins),
    fingerprint: listFingerprint(seen),
  }
}
