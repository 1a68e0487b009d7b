import { computed, shallowRef } from 'vue'

import type { FieldErrors } from '../forms/field-errors.ts'
import { useFormSubmit } from '../forms/use-form-submit.ts'
import { entryProblems, noProblems } from './entry-problems.ts'
import type { Mistakes } from './key-draft.ts'
import type { KeyView } from './key-view.ts'

/** What the form holds, or what is wrong with it. */
export type KeyReading<Input, Field extends string> =
  | { readonly kind: 'ready'; readonly input: Input }
  | { readonly kind: 'mistaken'; readonly mistakes: Mistakes<Field> }

interface KeyForm<Input> {
  readonly read: () =>
    | { readonly kind: 'ready'; readonly input: Input }
    | { readonly kind: 'mistaken'; readonly mistakes: FieldErrors }
  readonly send: (input: Input) => Promise<void>
  readonly onDone: () => void
}

/** Sends the form of a key. Beside what every form shows, single entries are marked that the server refused. */
export function useKeyForm<Input extends Pick<KeyView, 'allowedIps' | 'allowedDomains'>>({
  read,
  send,
  onDone,
}: KeyForm<Input>) {
  const sent = shallowRef<Input | null>(null)
  const { submit, errors, otherError, isLoading } = useFormSubmit({
    fields: () => [],
    read() {
      const reading = read()
      return reading.kind === 'ready'
        ? { kind: 'value', value: reading.input }
        : { kind: 'wrong', errors: reading.mistakes }
    },
    send(input: Input) {
      sent.value = input
      return send(input)
    },
    onDone,
  })
  const problems = computed(() =>
    sent.value === null ? noProblems : entryProblems(otherError.value, sent.value),
  )
  const refusal = computed(() => {
    const { allowedIps, allowedDomains } = problems.value
    return allowedIps.size + allowedDomains.size === 0 ? otherError.value : ''
  })

  return { submit, mistakes: errors, problems, refusal, isBusy: isLoading }
}
