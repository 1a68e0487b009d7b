import * as Address from 'ox/Address'
import * as Hex from 'ox/Hex'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as Secp256k1 from 'ox/Secp256k1'
import * as Signature from 'ox/Signature'

import type { WalletChallenge, WalletChallengeRequest, WalletProof } from '../../../shared/accounts.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import type { Egress } from '../../platform/egress.ts'
import { fault } from '../../platform/fault.ts'
import { randomHex } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { hashSecret } from '../../platform/secrets.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { contractSubject } from '../identity.ts'
import type { ProvenIdentity } from '../identity.ts'
import type { Intent, PendingStore } from '../pending/store.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import { challengeLifeMs, checkSiwe, domainOf, siweStatement } from './check-siwe.ts'
import { askContract } from './contract-signature.ts'
import type { ChainRpcs } from './contract-signature.ts'
import { readSiwe, siweText } from './siwe-message.ts'
import type { SiweMessage } from './siwe-message.ts'

interface WalletOptions {
  readonly pending: PendingStore
  readonly clock: SteadyClock
  readonly log: Log
  readonly egress: Egress
  readonly address: () => PublicAddress
  readonly chainRpcs: ChainRpcs
}

const nonceBytes = 24

export type WalletSignIn = ReturnType<typeof createWalletSignIn>

/** Sign-in with a wallet (EIP-4361): the server writes a message, the wallet signs it, once. */
export function createWalletSignIn({ pending, clock, log, egress, address, chainRpcs }: WalletOptions) {
  async function identify(message: SiweMessage, text: string, signature: Hex.Hex): Promise<ProvenIdentity> {
    const claimed = lowerCaseHex(message.address)
    if (isKeySignature(signature) && recoverSigner(text, signature) === claimed) {
      return { kind: 'wallet', subject: claimed, label: null }
    }
    const { chainId } = message
    const question = { chainId, address: claimed, hash: personalHash(text), signature }
    const verdict = await askContract(egress, chainRpcs, question)
    if (verdict === 'valid')
      return { kind: 'wallet', subject: contractSubject(chainId, claimed), label: null }
    if (verdict === 'wrong_chain') {
      log.warn('the node that is set for a chain is a node of another chain', { chainId })
    }
    if (verdict === 'unreachable') {
      throw fault(
        'upstream_error',
        `The node of chain ${chainId} that checks contract wallets does not answer`,
      )
    }
    return refuse(
      `signature: ${verdict}`,
      verdict === 'no_rpc'
        ? `; wallets that are contracts cannot sign in on chain ${chainId}, for which no node is set here`
        : undefined,
    )
  }

  return {
    /** Chains on which the signature of a contract can be checked. */
    contractChains: [...chainRpcs.keys()],

    /** Writes the message for a wallet. `preAuthSecret` is what the browser has to bring back with the signature. */
    async challenge(
      { address: wallet, chainId }: WalletChallengeRequest,
      intent: Intent,
      origin: string,
      preAuthSecret: string,
    ): Promise<WalletChallenge> {
      const nonce = randomHex(nonceBytes)
      const issuedAt = Math.floor(clock.now())
      const expiresAt = issuedAt + challengeLifeMs
      const message = siweText({
        domain: domainOf(origin),
        address: Address.checksum(lowerCaseHex(wallet)),
        statement: siweStatement,
        uri: origin,
        version: '1',
        chainId,
        nonce,
        issuedAt,
        expiresAt,
      })
      await pending.saveChallenge({
        nonceHash: hashSecret(nonce),
        preAuthHash: hashSecret(preAuthSecret),
        messageHash: hashSecret(message),
        ...intent,
        expiresAt,
      })
      return { message, expiresAt }
    },

    /**
     * Whose wallet signed. Faults: `unauthorized`, `upstream_error` when a contract wallet cannot be asked. The
     * challenge is used up first, whatever comes of it.
     */
    async prove(
      { message: text, signature }: WalletProof,
      { secret: preAuthSecret, origin }: Pick<SignInRequest, 'secret' | 'origin'>,
    ): Promise<{ identity: ProvenIdentity; intent: Intent }> {
      const message = readSiwe(text)
      if (message === null) return refuse('not a message of ours')
      if (preAuthSecret === null) return refuse('no sign-in was begun')
      const now = clock.now()
      const taken = await pending.takeChallenge(hashSecret(message.nonce), hashSecret(preAuthSecret), now)
      if (taken === null) return refuse('nonce unknown, used, expired, or of another browser')
      const wrong = checkSiwe(message, [...address().origins, origin], now)
      if (wrong !== null) return refuse(wrong)
      if (hashSecret(text) !== taken.messageHash) return refuse('not the message that was issued')
      const { purpose, accountId } = taken
      return {
        identity: await identify(message, text, lowerCaseHex(signature)),
        intent: { purpose, accountId },
      }
    },
  }
}

/** The schemas have checked that it is hexadecimal. */
const lowerCaseHex = (text: string): Hex.Hex => `0x${text.slice(2).toLowerCase()}`

/** One text for every reason that has to do with the signature: what exactly was wrong helps only those who try. */
function refuse(detail: string, hint = '; ask for a new message'): never {
  throw fault('unauthorized', `This signature is not good for signing in here${hint}`, { detail })
}

/** r, s and v of an ordinary account, in hexadecimal with `0x`. */
const keySignatureChars = 2 + 65 * 2

const isKeySignature = (signature: string): boolean => signature.length === keySignatureChars

/** What `personal_sign` signs (EIP-191, version 0x45), 32 bytes. */
const personalHash = (message: string): Hex.Hex => PersonalMessage.getSignPayload(Hex.fromString(message))

/** Lower-case address of the key that made a signature; null when the bytes are no signature at all. */
function recoverSigner(message: string, signature: Hex.Hex): string | null {
  try {
    const parsed = Signature.fromHex(signature)
    return Secp256k1.recoverAddress({ payload: personalHash(message), signature: parsed }).toLowerCase()
  } catch (error) {
    // Whatever is wrong with a signature, the library and the curve below it throw.
    if (error instanceof Error) return null
    throw error
  }
}
