import { watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

import { useAccount } from '../accounts/account.ts'
import { returnMessage } from '../accounts/proven-return.ts'
import { useToasts } from '../ui/toasts.ts'

/** Says on the page to which a provider sent the browser back what came of it, and tidies up the address. */
export function showReturnFromProvider(): void {
  const route = useRoute()
  const router = useRouter()
  const toasts = useToasts()
  const account = useAccount()

  watch(
    () => returnMessage(route.query),
    (message) => {
      if (message === null || account.current === null) return
      toasts.show(message.tone, message.text)
      const { problem: _problem, proven: _proven, ...query } = route.query
      void router.replace({ query, hash: route.hash })
    },
    { immediate: true },
  )
}
