import { ReportedError } from '../../reported-error.ts'

/** What a wallet answered with in place of what it was asked for, in words that say what to do. */
export function walletProblem(error: unknown, walletName: string): ReportedError {
  if (error instanceof ReportedError) return error
  return new ReportedError(textOf(codeOf(error), walletName), { cause: error })
}

/** Codes of EIP-1193, EIP-1474. */
function textOf(code: number | null, walletName: string): string {
  switch (code) {
    case 4001:
      return `You declined in ${walletName}. Nothing was signed; choose it again when you are ready.`
    case 4100:
      return `${walletName} is locked, or does not let this site in. Unlock it, and choose it again.`
    case 4900:
    case 4901:
      return `${walletName} is not connected to any network. Look into the wallet, and choose it again.`
    case -32_002:
      return `${walletName} has a request open already. Open the wallet and answer it there.`
    case -32_601:
    case 4200:
      return `${walletName} cannot sign messages, so it cannot be used to sign in.`
    default:
      return `${walletName} did not answer as a wallet should. Unlock it, reload this page, and choose it again.`
  }
}

export const noAccountText = (walletName: string): string =>
  `${walletName} shared no address. Unlock it, allow this site to see an address, and choose it again.`

/** Some wallets wrap the error that tells into another one. */
function codeOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null
  const code = 'code' in error ? error.code : undefined
  const inner = 'data' in error && typeof error.data === 'object' ? error.data : null
  const original = inner !== null && 'originalError' in inner ? inner.originalError : null
  if (original !== null && typeof original === 'object' && 'code' in original) return codeOf(original)
  return typeof code === 'number' ? code : null
}
