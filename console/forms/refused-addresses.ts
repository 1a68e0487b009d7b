import { inject, provide } from 'vue'
import type { InjectionKey } from 'vue'

/** What a form was refused for because it is private. */
interface RefusedAddresses {
  /** The host that an operator may allow for this field. */
  hostAt(field: string): string | undefined
  /** Sends the form once more. */
  sendAgain(): Promise<void>
}

const refusedKey: InjectionKey<RefusedAddresses> = Symbol('refused addresses')

export const provideRefusedAddresses = (refused: RefusedAddresses): void => provide(refusedKey, refused)

/** Those of the form around; null outside of one. */
export const useRefusedAddresses = (): RefusedAddresses | null => inject(refusedKey, null)
