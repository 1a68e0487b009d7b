/** What a wallet answers to (EIP-1193). */
export interface WalletProvider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/** A wallet that this page can ask. */
export interface Wallet {
  readonly id: string
  readonly name: string
  /** A `data:` address; null where the wallet brought none that may be shown. */
  readonly icon: string | null
  readonly provider: WalletProvider
}

/** `0x12ab…90ef` */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`
