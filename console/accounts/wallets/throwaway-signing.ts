import * as Address from 'ox/Address'
import * as Hex from 'ox/Hex'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as Secp256k1 from 'ox/Secp256k1'
import * as Signature from 'ox/Signature'

/** Loaded only by those who use it: the curve weighs more than the page to sign in. */

export const makeKey = (): Hex.Hex => Secp256k1.randomPrivateKey()

export const isPrivateKey = (text: string | null): text is Hex.Hex =>
  text !== null && Hex.validate(text, { strict: true }) && Hex.size(text) === 32

export const addressOf = (privateKey: Hex.Hex): string =>
  Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey }), { checksum: true })

/** As `personal_sign` does. `message`: hexadecimal. */
export function signMessage(privateKey: Hex.Hex, message: string): string {
  Hex.assert(message, { strict: true })
  const payload = PersonalMessage.getSignPayload(message)
  return Signature.toHex(Secp256k1.sign({ payload, privateKey }))
}
