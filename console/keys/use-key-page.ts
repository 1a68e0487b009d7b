import { computed, shallowRef, watch } from 'vue'
import type { Ref, ShallowRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'

import type { KeyAction } from './key-actions.ts'
import type { KeyListView } from './key-list-view.ts'
import type { KeyView } from './key-view.ts'

/** What stands open over the list. */
export type OpenedKey<Key extends KeyView> =
  | { readonly kind: 'create'; readonly like: Key | null }
  | { readonly kind: 'edit' | 'rotate' | 'delete'; readonly key: Key }

interface KeyPage<Key extends KeyView, View extends KeyListView> {
  readonly keys: Readonly<Ref<readonly Key[]>>
  readonly view: ShallowRef<View>
  readonly isFiltered: (view: View) => boolean
  readonly filter: (keys: readonly Key[], view: View) => readonly Key[]
}

/** What a page about keys of one kind shows of them, and what stands open on it. */
export function useKeyPage<Key extends KeyView, View extends KeyListView>({
  keys,
  view,
  isFiltered,
  filter,
}: KeyPage<Key, View>) {
  const route = useRoute()
  const router = useRouter()
  const opened = shallowRef<OpenedKey<Key> | null>(null)
  /** The key that stands open, as the list has it now. */
  const latest = computed(() => {
    const id = opened.value !== null && 'key' in opened.value ? opened.value.key.id : null
    return keys.value.find((key) => key.id === id)
  })
  const found = computed(() => filter(keys.value, view.value))
  const isNarrowed = computed(() => isFiltered(view.value))
  const countText = computed(() => {
    const all = keys.value.length === 1 ? '1 key' : `${keys.value.length} keys`
    return isNarrowed.value ? `${found.value.length} of ${all}` : all
  })
  const sort = computed({
    get: () => view.value.sort,
    set: (order) => (view.value = { ...view.value, sort: order, page: 1 }),
  })
  const page = computed({
    get: () => view.value.page,
    set: (number) => (view.value = { ...view.value, page: number }),
  })

  function create(): void {
    opened.value = { kind: 'create', like: null }
  }

  // From the palette and other pages: ?create
  watch(
    () => 'create' in route.query,
    (isAsked) => {
      if (!isAsked) return
      create()
      const { create: _asked, for: _for, ...query } = route.query
      void router.replace({ query })
    },
    { immediate: true },
  )

  return {
    opened,
    latest,
    found,
    isNarrowed,
    countText,
    sort,
    page,
    create,
    open(key: Key, action: KeyAction): void {
      opened.value = action === 'remake' ? { kind: 'create', like: key } : { kind: action, key }
    },
    close(): void {
      opened.value = null
    },
  }
}
