import { useMutation } from '@pinia/colada'
import { computed, ref } from 'vue'

import { callErrorText } from '../trpc.ts'
import { useToasts } from '../ui/toasts.ts'
import { type BulkOutcome, changeEach, type ChosenService, failureText } from './bulk-change.ts'

interface BulkChange<Input> {
  readonly services: () => readonly ChosenService[]
  readonly change: (id: string, input: Input) => Promise<unknown>
  /** What is said of so many, when all went well. */
  readonly doneText: (count: number) => string
  readonly onDone: () => void
}

/** Changes the chosen services; where some fail it says which, and a second try is about these alone. */
export function useBulkChange<Input>({ services, change, doneText, onDone }: BulkChange<Input>) {
  const toasts = useToasts()
  const finished = ref<ReadonlySet<string>>(new Set())
  const failed = ref<BulkOutcome['failed']>([])
  const left = computed(() => services().filter(({ id }) => !finished.value.has(id)))
  const { mutate, isLoading } = useMutation({
    mutation: (input: Input) => changeEach(left.value, (id) => change(id, input)),
    onSuccess(outcome) {
      finished.value = new Set([...finished.value, ...outcome.done])
      failed.value = outcome.failed
      if (outcome.failed.length > 0) return
      const count = finished.value.size
      finished.value = new Set() // the same service may be chosen again
      toasts.show('ok', doneText(count))
      onDone()
    },
  })
  return {
    mutate,
    isLoading,
    /** Empty while nothing failed. */
    failure: computed(() =>
      failed.value.length === 0
        ? ''
        : `${finished.value.size} are done, ${failed.value.length} are not. ${failureText(failed.value, callErrorText)}`,
    ),
  }
}
