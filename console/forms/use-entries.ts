import type { Ref } from 'vue'

/** Entries of a form that are changed one by one; whoever holds the list gets a new one each time. */
export function useEntries<Entry extends object>(entries: Ref<readonly Entry[]>, createEntry: () => Entry) {
  return {
    change(place: number, part: Partial<Entry>): void {
      entries.value = entries.value.map((entry, index) => (index === place ? { ...entry, ...part } : entry))
    },
    remove(place: number): void {
      entries.value = entries.value.toSpliced(place, 1)
    },
    add(): void {
      entries.value = [...entries.value, createEntry()]
    },
  }
}
