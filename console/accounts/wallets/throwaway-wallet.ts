import type { Wallet } from './wallet.ts'

/** Where the key lies: whoever comes again with this browser is the same account. */
const place = 'gatehouse-throwaway-key'

/**
 * A wallet whose key this browser makes and keeps, for trying Gatehouse out on one's own computer without any
 * extension. Any script of the page could read the key, so it guards nothing of worth.
 */
export function throwawayWallet(storage: Storage): Wallet {
  return {
    id: 'throwaway',
    name: 'Throwaway wallet',
    icon: null,
    provider: {
      async request({ method, params = [] }) {
        const signing = await import('./throwaway-signing.ts')
        const stored = storage.getItem(place)
        const key = signing.isPrivateKey(stored) ? stored : signing.makeKey()
        storage.setItem(place, key)
        switch (method) {
          case 'eth_requestAccounts':
            return [signing.addressOf(key)]
          case 'eth_chainId':
            return '0x1'
          case 'personal_sign':
            return signing.signMessage(key, String(params[0]))
          default:
            throw Object.assign(new Error('not supported'), { code: 4200 })
        }
      },
    },
  }
}

export const hasThrowawayKey = (storage: Storage): boolean => storage.getItem(place) !== null

/** Nobody gets into its account any more, unless another identity was linked to it. */
export const forgetThrowawayKey = (storage: Storage): void => storage.removeItem(place)
