import type { ServerInstructions } from '../call-results.ts'
import type { Downstream } from '../downstream/downstream.ts'
import { scanDefinition, warningsOf } from './scan-definition.ts'

const maxChars = 4_096

/** Returns what a tool server tells its users, looked through as definitions of tools are; null where it says nothing. */
export function serverInstructions({
  instructions,
}: Pick<Downstream, 'instructions'>): ServerInstructions | null {
  if (instructions === null) return null
  const text = instructions.slice(0, maxChars)
  const findings = scanDefinition({ name: '', instructions: text })
  return { text, findings, warnings: warningsOf(findings) }
}
