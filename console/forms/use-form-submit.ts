import { nextTick, ref } from 'vue'

import { callErrorText, refusedFieldsOf } from '../trpc.ts'
import { focusFirstInvalid } from '../ui/focus-first-invalid.ts'
import { privateHostsAt, sortRefusal, sortRefusedFields } from './field-errors.ts'
import type { FieldErrors, FormReading } from './field-errors.ts'
import { provideRefusedAddresses } from './refused-addresses.ts'

interface Submit<Value, Answer> {
  /** Every field that can show what is wrong with it. */
  readonly fields: () => readonly string[]
  readonly read: () => FormReading<Value>
  readonly send: (value: Value) => Promise<Answer>
  readonly onDone: (answer: Answer) => void | Promise<void>
}

/** Sends a form, and shows what is wrong with it at its fields. */
export function useFormSubmit<Value, Answer>({
  fields: fieldNames,
  read,
  send,
  onDone,
}: Submit<Value, Answer>) {
  const errors = ref<FieldErrors>({})
  const isLoading = ref(false)
  /** What belongs to no field. */
  const otherError = ref('')
  const privateHosts = ref<Readonly<Record<string, string>>>({})
  /** Known once it was submitted; before, nothing in it is marked as wrong. */
  let form: EventTarget | null = null
  provideRefusedAddresses({ hostAt: (field) => privateHosts.value[field], sendAgain: () => submit() })

  async function show(fields: FieldErrors, other: string): Promise<void> {
    errors.value = fields
    otherError.value = other
    await nextTick()
    await nextTick() // what is hidden opens first
    if (form instanceof HTMLElement) focusFirstInvalid(form)
  }

  /** Without an event it sends once more what was submitted already. */
  async function submit(event?: Event): Promise<void> {
    form = event?.currentTarget ?? form
    const value = read()
    void show(value.kind === 'wrong' ? value.errors : {}, '')
    privateHosts.value = {}
    if (value.kind === 'wrong' || isLoading.value) return
    isLoading.value = true
    try {
      await onDone(await send(value.value))
    } catch (error) {
      const refused = refusedFieldsOf(error)
      privateHosts.value = privateHostsAt(refused, fieldNames())
      const { fields, rest } =
        refused.length === 0
          ? sortRefusal(callErrorText(error), fieldNames())
          : sortRefusedFields(refused, fieldNames())
      await show(fields, rest)
    } finally {
      isLoading.value = false
    }
  }

  return { submit, errors, otherError, isLoading }
}
