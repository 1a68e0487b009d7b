import type { TransactionSql } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { ConnectionStore } from '../store.ts'
import { fingerprintOf, type Pins, changedNames, removedNames } from '../tools/pins.ts'
import type { Definition } from '../tools/read-tools.ts'

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
  const known = [...pins.accepted.values(), ...pins.seen.values()]
  await store.keepDefinitions(sql, id, worthKeeping(tools), known)
}

/** Returns definitions as JSON by fingerprint. */
const worthKeeping = (tools: readonly Definition[]): ReadonlyMap<string, string> =>
  new Map(
    tools
      .slice(0, maxDefinitions)
      .map((tool): [string, string] => [fingerprintOf(tool), JSON.stringify(tool)])
      .filter(([, text]) => text.length <= maxDefinitionChars),
  )

/** A tool as it was accepted. */
export interface AcceptedTool {
  readonly name: string
  /** The definition; null when it was not stored. */
  readonly definition: unknown
}

/** Returns the accepted definitions of tools that have changed. Fault: `not_found`. */
export function createAcceptedTools(store: ConnectionStore) {
  return async (accountId: string, id: string): Promise<AcceptedTool[]> => {
    const connection = await store.find(accountId, id)
    if (connection === null) throw fault('not_found', 'There is no such connection')
    if (connection.pins === null) return []
    const outdated = outdatedIn(connection.pins)
    const definitions = await store.definitions(
      id,
      outdated.map(([, fingerprint]) => fingerprint),
    )
    return outdated.map(([name, fingerprint]) => {
      const text = definitions.get(fingerprint)
      return { name, definition: text === undefined ? null : JSON.parse(text) }
    })
  }
}

/** Returns names and accepted fingerprints of tools that are changed or missing now. */
const outdatedIn = (pins: Pins): (readonly [string, string])[] =>
  [...changedNames(pins), ...removedNames(pins)].flatMap((name) => {
    const fingerprint = pins.accepted.get(name)
    return fingerprint === undefined ? [] : [[name, fingerprint] as const]
  })
