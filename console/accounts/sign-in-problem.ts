import { providerProblemText } from './identity-words.ts'

/** What to say about `?problem=` of the page to sign in; null for an address without, or with one we do not know. */
export function signInProblemOf(problem: unknown): { tone: 'bad' | 'info'; text: string } | null {
  if (problem === 'session_ended') {
    return { tone: 'info', text: 'Your session has ended. Sign in again, and you are back where you were.' }
  }
  const text = providerProblemText(problem)
  return text === null ? null : { tone: 'bad', text }
}
