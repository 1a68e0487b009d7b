import type { Tool } from '@modelcontextprotocol/client'

import type { Downstream } from '../downstream/downstream.ts'
import type { DownstreamLimits } from '../downstream/limits.ts'
import type { ListedTool } from '../call-results.ts'
import type { Route } from '../route.ts'
import { changedNames, fingerprintsOf, listFingerprint, removedNames } from './pins.ts'
import { type Definition, readTools } from './read-tools.ts'
import { warningsOf } from './warnings.ts'

export interface ToolList {
  readonly tools: readonly ListedTool[]
  readonly removed: readonly string[]
  /** The fingerprint of the whole list. */
  readonly fingerprint: string
}

/** Remembers, for each connection, the listed tools whose schemas want some arguments as headers. */
export interface HeaderTools {
  remember(downstream: Downstream, tools: readonly Definition[]): void
  find(downstream: Downstream, name: string): Tool | null
}

export function createHeaderTools(): HeaderTools {
  const known = new WeakMap<Downstream, ReadonlyMap<string, Tool>>()

  return {
    remember(downstream, tools) {
      if (downstream.era !== 'modern') return
      const wanting = tools.filter(({ inputSchema }) =>
        JSON.stringify(inputSchema ?? null).includes('"x-mcp-header"'),
      )
      known.set(downstream, new Map(wanting.map((tool) => [tool.name, withoutOutputSchema(tool)])))
    },
    find: (downstream, name) => known.get(downstream)?.get(name) ?? null,
  }
}

/** Removes the output schema, from which the SDK would compile code. */
const withoutOutputSchema = ({ name, inputSchema }: Definition): Tool => ({
  name,
  inputSchema: { type: 'object', ...(typeof inputSchema === 'object' ? inputSchema : {}) },
})

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
