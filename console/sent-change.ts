import { onScopeDispose, readonly, shallowRef } from 'vue'

/*
 * What a form sent last. Sent again as it is, it goes under the same key, by which the server does it once, whether or not the
 * first answer was lost. A success, another input, and a form that opens or closes begin anew.
 */

let sent: { readonly content: string; readonly key: string } | null = null
let openForms = 0
const isUnanswered = shallowRef(false)

function countForms(step: 1 | -1): void {
  openForms += step
  sent = null
  isUnanswered.value = false
}

/** Opens a form until its component ends. Tells whether no answer came to what it sent last. */
export function useSentChange() {
  countForms(1)
  onScopeDispose(() => countForms(-1))
  return readonly(isUnanswered)
}

/** The key under which a change is sent; null outside forms, where pressing a button once more may mean something new. */
export function keyOfChange(path: string, input: unknown): string | null {
  if (openForms === 0) return null
  isUnanswered.value = false
  const content = JSON.stringify([path, input])
  // `randomUUID` is missing in pages without TLS.
  if (sent?.content !== content) sent = { content, key: crypto.getRandomValues(new Uint32Array(4)).join('-') }
  return sent.key
}

/** Takes how the change of this key ended. A refusal is an answer, of which the server keeps nothing. */
export function changeEnded(key: string, end: 'done' | 'refused' | 'unanswered'): void {
  if (sent?.key !== key) return
  if (end === 'done') sent = null
  isUnanswered.value = end === 'unanswered'
}

/** What to say above and after an error where nobody knows what came of the change. */
export const unansweredTexts = {
  title: 'It is not known whether this was done',
  hint: 'It may have been done all the same: sent again from here as it is, it is not done twice.',
} as const
