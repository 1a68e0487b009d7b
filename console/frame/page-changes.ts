import { useTimeoutFn } from '@vueuse/core'
import { nextTick, ref } from 'vue'
import type { Ref } from 'vue'
import { useRouter } from 'vue-router'

/** Whoever cannot see that the page changed hears its heading, and goes on from there with the Tab key. */
export function focusHeadingOfNewPage(): void {
  useRouter().afterEach(async (to, from) => {
    if (from.matched.length === 0 || to.path === from.path) return
    await nextTick()
    const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
    heading?.focus({ preventScroll: true })
  })
}

/** A page that is there at once needs no sign that it is coming. */
const slowMs = 200

/** Whether the page that was asked for is slow to come. */
export function useSlowPage(): Readonly<Ref<boolean>> {
  const router = useRouter()
  const isSlow = ref(false)
  const timer = useTimeoutFn(
    () => {
      isSlow.value = true
    },
    slowMs,
    { immediate: false },
  )

  function stop(): void {
    timer.stop()
    isSlow.value = false
  }

  router.beforeEach((to, from) => {
    if (to.path !== from.path) timer.start()
  })
  router.afterEach(stop)
  router.onError(stop)
  return isSlow
}
