import type { Downstream } from '../downstream/downstream.ts'
import type { DownstreamLimits } from '../downstream/limits.ts'
import type { ListedTool } from '../call-results.ts'
import type { Route } from '../route.ts'
import type { HeaderTools } from './call-tool.ts'
import { isChanged, removedNames, seenList } from './pins.ts'
import { readTools } from './read-tools.ts'
import type { DefinitionScans } from './definition-scans.ts'
import { warningsOf } from './scan-definition.ts'
import { seenFingerprint } from './stored-pins.ts'
import { type OtherServer, createOtherToolsScan } from './shadowed-names.ts'

export interface ToolList {
  readonly tools: readonly ListedTool[]
  /** How many the server has beside them, which cannot be used. */
  readonly leftOut: number
  readonly removed: readonly string[]
  /** The fingerprint of the whole list, and of those of other callers. */
  readonly fingerprint: string
}

export interface ToolListParts {
  readonly headerTools: HeaderTools
  readonly scans: DefinitionScans
  readonly limits: DownstreamLimits
}

/** Lists the tools, compares them with the accepted definitions, and looks through them. */
export async function listTools(
  downstream: Downstream,
  route: Route,
  { headerTools, scans, limits }: ToolListParts,
  others: Promise<readonly OtherServer[]>,
  signal: AbortSignal,
): Promise<ToolList> {
  const { tools: definitions, leftOut } = await readTools(downstream, limits, signal)
  headerTools.remember(downstream, definitions)
  const pins = await route.pin(seenList(route.key, definitions), definitions)
  const findings = await scans.of(definitions, signal)
  const findingsWithOthers = createOtherToolsScan(await others, definitions)
  const tools = definitions.map((definition, place) => {
    const all = [...(findings[place] ?? []), ...findingsWithOthers(definition)]
    const { name } = definition
    return {
      definition,
      changed: isChanged(pins, route.key, name),
      warnings: warningsOf(all),
      findings: all,
      refusal: null,
    }
  })
  const flagged = tools.filter(({ warnings }) => warnings.length > 0)
  await route.recordFlagged(flagged.map(({ definition }) => definition.name))
  return {
    tools,
    leftOut,
    removed: removedNames(pins),
    fingerprint: seenFingerprint(pins),
  }
}
