import type { Purpose } from '../../shared/accounts.ts'
import { providerProblemText } from './identity-words.ts'

type ProofAtProvider = Exclude<Purpose, 'sign_in'>

/** What to say on the page to which a provider sent the browser back. */
export interface ReturnMessage {
  readonly tone: 'ok' | 'bad'
  readonly text: string
}

const texts: Readonly<Record<ProofAtProvider, string>> = {
  confirm: 'Confirmed. Now do once more what you were doing.',
  link: 'The identity was linked to your account.',
}

/** The path with a note of what the run through the provider was for. */
export const provenParameter = (path: string, purpose: ProofAtProvider): string =>
  `${path}${path.includes('?') ? '&' : '?'}proven=${purpose}`

/** What the parameters of an address say about a run through a provider; null when there was none. */
export function returnMessage(query: Readonly<Record<string, unknown>>): ReturnMessage | null {
  const problem = providerProblemText(query.problem)
  if (problem !== null) return { tone: 'bad', text: problem }
  if (query.proven === 'confirm' || query.proven === 'link') return { tone: 'ok', text: texts[query.proven] }
  return null
}
