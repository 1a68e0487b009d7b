import { computed, inject, provide, useId } from 'vue'
import type { ComputedRef, InjectionKey } from 'vue'

/** What a control takes from the `FormField` around it. */
export interface FieldContext {
  readonly id: string
  /** Ids of the hint and the error, for `aria-describedby`. */
  readonly describedBy: ComputedRef<string | undefined>
  readonly isInvalid: ComputedRef<boolean>
  readonly isRequired: ComputedRef<boolean>
}

const fieldKey: InjectionKey<FieldContext> = Symbol('field')

export const provideField = (field: FieldContext): void => provide(fieldKey, field)

/** The field around a control; one that stands alone names itself by `aria-label`. */
export function useField(): FieldContext {
  return inject(fieldKey, aloneField, true)
}

const aloneField = (): FieldContext => ({
  id: useId(),
  describedBy: computed(() => undefined),
  isInvalid: computed(() => false),
  isRequired: computed(() => false),
})
