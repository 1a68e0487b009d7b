import { nextTick, ref, shallowRef } from 'vue'

import { callErrorText, faultOf } from '../trpc.ts'
import { focusFirstInvalid } from '../ui/focus-first-invalid.ts'
import { entryProblems, noProblems } from './entry-problems.ts'
import type { Mistakes } from './key-draft.ts'
import type { KeyView } from './key-view.ts'

/** What the form holds, or what is wrong with it. */
export type KeyReading<Input, Field extends string> =
  | { readonly kind: 'ready'; readonly input: Input }
  | { readonly kind: 'mistaken'; readonly mistakes: Mistakes<Field> }

interface KeyForm<Input, Field extends string> {
  readonly read: () => KeyReading<Input, Field>
  readonly send: (input: Input) => Promise<void>
  readonly onDone: () => void
}

/** Sends the form of a key, and shows what is wrong with it: at its fields, at single entries, or at its end. */
export function useKeyForm<
  Input extends Pick<KeyView, 'allowedIps' | 'allowedDomains'>,
  Field extends string,
>({ read, send, onDone }: KeyForm<Input, Field>) {
  const mistakes = shallowRef<Mistakes<Field>>({})
  const problems = shallowRef(noProblems)
  const refusal = ref('')
  const isBusy = ref(false)

  async function submit({ currentTarget: form }: Event): Promise<void> {
    if (isBusy.value) return
    const reading = read()
    mistakes.value = reading.kind === 'ready' ? {} : reading.mistakes
    refusal.value = ''
    if (reading.kind === 'mistaken') return focusMistake(form)
    isBusy.value = true
    try {
      await send(reading.input)
      onDone()
    } catch (error) {
      await showRefusal(form, error, reading.input)
    } finally {
      isBusy.value = false
    }
  }

  async function showRefusal(form: EventTarget | null, error: unknown, input: Input): Promise<void> {
    problems.value =
      faultOf(error) === 'invalid_request' ? entryProblems(callErrorText(error), input) : noProblems
    const { allowedIps, allowedDomains } = problems.value
    if (allowedIps.size + allowedDomains.size === 0) refusal.value = callErrorText(error)
    await focusMistake(form)
  }

  return { submit, mistakes, problems, refusal, isBusy }
}

async function focusMistake(form: EventTarget | null): Promise<void> {
  await nextTick()
  if (form instanceof HTMLElement) focusFirstInvalid(form)
}
