import { nextTurn } from '../../platform/turns.ts'
import type { ToolFinding } from '../call-results.ts'
import { fingerprintOf } from './pins.ts'
import type { Definition } from './read-tools.ts'
import { scanDefinition } from './scan-definition.ts'
import { RecentMap } from '../../platform/recent-map.ts'

/** Findings by definition, remembered because lists are read again and again. */
export interface DefinitionScans {
  of(definitions: readonly Definition[], signal: AbortSignal): Promise<(readonly ToolFinding[])[]>
}

const maxRemembered = 5_000
/** New definitions that are looked through in one turn of the event loop: some milliseconds, so that nobody waits. */
const perTurn = 8

export function createDefinitionScans(): DefinitionScans {
  const known = new RecentMap<string, readonly ToolFinding[]>(maxRemembered)

  return {
    async of(definitions, signal) {
      const all: (readonly ToolFinding[])[] = []
      let isNew = 0
      for (const definition of definitions) {
        const key = fingerprintOf(definition)
        const found = known.get(key)
        const findings = found ?? scanDefinition(definition)
        known.set(key, findings)
        all.push(findings)
        if (found !== undefined) continue
        isNew += 1
        if (isNew % perTurn === 0) await nextTurn()
        signal.throwIfAborted()
      }
      return all
    },
  }
}
