import type { TransactionSql } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { ConnectionStore } from '../store.ts'
import type { ToolFinding } from '../call-results.ts'
import {
  type Pins,
  acceptedAs,
  changesIn,
  fingerprintOf,
  fingerprintsIn,
  removedNames,
} from '../tools/pins.ts'
import type { Definition } from '../tools/read-tools.ts'
import { scanDefinition } from '../tools/scan-definition.ts'

/** A larger definition is not stored; a change then shows the new definition only. */
const maxDefinitionChars = 32_768
const maxDefinitions = 500

/** Saves the pins together with the definitions, so that a change can be shown. */
export async function savePins(
  store: ConnectionStore,
  sql: TransactionSql,
  id: string,
  pins: Pins,
  tools: readonly Definition[],
): Promise<void> {
  await store.savePins(sql, id, pins)
  await store.keepDefinitions(sql, id, worthKeeping(tools), fingerprintsIn(pins))
}

/** Returns definitions as JSON by fingerprint. */
const worthKeeping = (tools: readonly Definition[]): ReadonlyMap<string, string> =>
  new Map(
    tools
      .slice(0, maxDefinitions)
      .map((tool): [string, string] => [fingerprintOf(tool), JSON.stringify(tool)])
      .filter(([, text]) => text.length <= maxDefinitionChars),
  )

/** A tool that is not as it was accepted, whoever was listed it. */
export interface AcceptedTool {
  readonly name: string
  /** False: it was accepted as another one, or is gone. */
  readonly isNew: boolean
  /** The definition as it was accepted; null when there was none, or it was not stored. */
  readonly definition: unknown
  /** The definition as it was seen last; null when it is gone, or was not stored. */
  readonly now: unknown
  readonly findings: readonly ToolFinding[]
}

/** Returns the tools that have changed since they were accepted. Fault: `not_found`. */
export function createAcceptedTools(store: ConnectionStore) {
  return async (accountId: string, id: string): Promise<AcceptedTool[]> => {
    const connection = await store.find(accountId, id)
    if (connection === null) throw fault('not_found', 'There is no such connection')
    if (connection.pins === null) return []
    const outdated = outdatedIn(connection.pins)
    const fingerprints = outdated.flatMap(({ before, after }) => [before ?? [], after ?? []].flat())
    const definitions = await store.definitions(id, fingerprints)
    const definitionOf = (fingerprint: string | undefined): unknown =>
      JSON.parse(definitions.get(fingerprint ?? '') ?? 'null')
    return outdated.map(({ name, before, after }) => {
      const now = definitionOf(after)
      const findings = scanDefinition({ ...Object(now), name })
      return { name, isNew: before === undefined, definition: definitionOf(before), now, findings }
    })
  }
}

interface Outdated {
  readonly name: string
  readonly before: string | undefined
  /** Undefined: it is gone. */
  readonly after: string | undefined
}

const outdatedIn = (pins: Pins): Outdated[] => [
  ...changesIn(pins),
  ...removedNames(pins).map((name) => ({ name, before: acceptedAs(pins, name)[0], after: undefined })),
]
