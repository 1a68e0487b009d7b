import { fingerprintOf } from '../tools/fingerprint.ts'
import { type Pins, changedNames, removedNames } from '../tools/pins.ts'
import type { Definition } from '../tools/read-tools.ts'

/** What is larger is not kept: then a change shows only what a tool says now. */
const maxDefinitionChars = 32_768
const maxDefinitions = 500

/** Definitions that are worth keeping, as JSON by fingerprint. */
export const keptDefinitions = (tools: readonly Definition[]): ReadonlyMap<string, string> =>
  new Map(
    tools
      .slice(0, maxDefinitions)
      .map((tool): [string, string] => [fingerprintOf(tool), JSON.stringify(tool)])
      .filter(([, text]) => text.length <= maxDefinitionChars),
  )

/** A tool as it was accepted. */
export interface AcceptedTool {
  readonly name: string
  /** Null: it was not kept. */
  readonly definition: unknown
}

/** Fingerprints of what was accepted and is another one now, by name. */
export function outdated(pins: Pins): ReadonlyMap<string, string> {
  const names = [...changedNames(pins), ...removedNames(pins)]
  return new Map(
    names.flatMap((name) => {
      const fingerprint = pins.accepted.get(name)
      return fingerprint === undefined ? [] : [[name, fingerprint]]
    }),
  )
}

export const acceptedTools = (
  fingerprints: ReadonlyMap<string, string>,
  definitions: ReadonlyMap<string, string>,
): AcceptedTool[] =>
  [...fingerprints].map(([name, fingerprint]) => {
    const text = definitions.get(fingerprint)
    return { name, definition: text === undefined ? null : JSON.parse(text) }
  })
