import type { Wallet, WalletProvider } from './wallet.ts'

const mostChars = { uuid: 100, name: 60 } as const

/** Larger ones would make the page slow. */
const maxIconLength = 300_000

/**
 * The wallet that was announced (EIP-6963); null for anything else: every script of the page can announce. Read by hand, as
 * the page to sign in does without schemas.
 */
export function readAnnouncement(detail: unknown): Wallet | null {
  if (!isRecord(detail) || !isRecord(detail['info']) || !isProvider(detail['provider'])) return null
  const { uuid, name, icon } = detail['info']
  if (typeof uuid !== 'string' || typeof name !== 'string') return null
  const shown = name.trim()
  const areShort = uuid.length <= mostChars.uuid && shown.length <= mostChars.name
  if (uuid === '' || shown === '' || !areShort) return null
  return { id: uuid, name: shown, icon: readIcon(icon), provider: detail['provider'] }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

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
