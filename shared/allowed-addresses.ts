import * as z from 'zod/mini'

import { idText, text } from './text.ts'

/** Private addresses that operators allow, besides the blocks of `GATEHOUSE_ALLOW_PRIVATE`. */
export const allowedAddressBounds = { addresses: 200 } as const

/** `address`: an IP address, a name, or the URL that was refused, whose host counts. */
export const AddressToAllow = z.strictObject({ address: text({ max: 8_192 }) })

/** `address`: an IP address of the list. */
export const AddressToRevoke = z.strictObject({ address: idText(64) })

export interface AllowedAddress {
  /** An IP address in its canonical form. */
  readonly address: string
  /** The name that resolved to it when it was allowed; null where the address itself was given. */
  readonly name: string | null
  /** What the operator was called then. */
  readonly allowedBy: string
  /** Epoch ms. */
  readonly allowedAt: number
}

export interface AllowedAddressList {
  /** Those that operators allowed, the newest first. */
  readonly addresses: readonly AllowedAddress[]
  /** The CIDR blocks of `GATEHOUSE_ALLOW_PRIVATE`, which only a restart changes. */
  readonly environment: readonly string[]
}

/** What an operator allowed. */
export interface AllowedNow {
  /** Addresses that may be reached from now on. */
  readonly allowed: readonly string[]
  /** Private addresses of the same name that could be reached already. */
  readonly already: readonly string[]
  /** False: not every process of the installation said within a second that it knows. */
  readonly propagated: boolean
}
