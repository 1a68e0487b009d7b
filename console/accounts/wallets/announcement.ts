import * as z from 'zod/mini'

import type { Wallet, WalletProvider } from './wallet.ts'

/** What an extension says of itself (EIP-6963). Anything may be in it: every script of the page can announce. */
const Announcement = z.object({
  info: z.object({
    uuid: z.string().check(z.minLength(1), z.maxLength(100)),
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)),
    icon: z.optional(z.unknown()),
  }),
  provider: z.custom<WalletProvider>(isProvider),
})

/** Larger ones would make the page slow. */
const maxIconLength = 300_000

/** The wallet that was announced; null for anything else. */
export function readAnnouncement(detail: unknown): Wallet | null {
  const read = Announcement.safeParse(detail)
  if (!read.success) return null
  const { info, provider } = read.data
  return { id: info.uuid, name: info.name, icon: readIcon(info.icon), provider }
}

/** Only an image that is here already: one from elsewhere would tell its host who signs in where. */
function readIcon(icon: unknown): string | null {
  if (typeof icon !== 'string' || icon.length > maxIconLength) return null
  const text = icon.trim()
  return /^data:image\/[a-z0-9.+-]+[;,]/i.test(text) ? text : null
}

export function isProvider(value: unknown): value is WalletProvider {
  return (
    typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'
  )
}
