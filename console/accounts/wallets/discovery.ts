import { onBeforeUnmount, onMounted, shallowRef } from 'vue'
import type { ShallowRef } from 'vue'

import { isProvider, readAnnouncement } from './announcement.ts'
import type { Wallet } from './wallet.ts'

const injectedId = 'injected'

/** Every wallet that announces itself while the component is there (EIP-6963), in the order in which they do. */
export function useWallets(): Readonly<ShallowRef<readonly Wallet[]>> {
  const wallets = shallowRef<readonly Wallet[]>([])

  function take(event: Event): void {
    const wallet = event instanceof CustomEvent ? readAnnouncement(event.detail) : null
    if (wallet === null) return
    const others = wallets.value.filter(({ id }) => id !== wallet.id && id !== injectedId)
    wallets.value = [...others, wallet]
  }

  onMounted(() => {
    addEventListener('eip6963:announceProvider', take)
    dispatchEvent(new Event('eip6963:requestProvider'))
    if (wallets.value.length === 0) wallets.value = injectedWallet(window)
  })
  onBeforeUnmount(() => removeEventListener('eip6963:announceProvider', take))
  return wallets
}

/** The browsers inside some wallets' apps bring their wallet only in the way that was usual before EIP-6963. */
export function injectedWallet(page: object): readonly Wallet[] {
  const provider = 'ethereum' in page ? page.ethereum : undefined
  if (!isProvider(provider)) return []
  return [{ id: injectedId, name: 'Wallet of this browser', icon: null, provider }]
}
