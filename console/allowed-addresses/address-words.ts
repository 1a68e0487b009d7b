import type { AllowedNow } from '../../shared/allowed-addresses.ts'
import { withPropagation } from '../keys/change-words.ts'

/** What came of allowing one address or name. */
export function allowedText({ allowed, already, propagated }: AllowedNow): string {
  if (allowed.length === 0) return `${already.join(', ')} could be reached already.`
  return withPropagation(`${allowed.join(', ')} may be reached from now on.`, { propagated })
}
