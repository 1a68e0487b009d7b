import { providerProblemText } from './identity-words.ts'

/** What to say about `?problem=` of the page to sign in; null for an address without, or with one we do not know. */
export function signInProblemOf(problem: unknown): { tone: 'bad' | 'info'; text: string } | null {
  if (problem === 'session_ended') {
    return { tone: 'info', text: 'Your session has ended. Sign in again, and you are back where you were.' }
  }
  const text = providerProblemText(problem)
  return text === null ? null : { tone: 'bad', text }
}

/**
 * The same to whoever is signed in all the same, and goes on at once: they went back to a sign-in that was used, or
 * wanted to add or confirm an identity. Null: nothing that they need to know.
 */
export const problemWhenSignedIn = (problem: unknown): string | null =>
  problem === 'sign_in_over'
    ? 'You are signed in. What you began at the provider took too long or was used already: if something is missing, begin it again.'
    : null
