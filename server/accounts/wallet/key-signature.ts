import { Hex, PersonalMessage, Secp256k1, Signature } from 'ox'

/** r, s and v of an ordinary account, in hexadecimal with `0x`. */
const keySignatureChars = 2 + 65 * 2

export const isKeySignature = (signature: string): boolean => signature.length === keySignatureChars

/** What `personal_sign` signs (EIP-191, version 0x45), 32 bytes. */
export const personalHash = (message: string): Hex.Hex =>
  PersonalMessage.getSignPayload(Hex.fromString(message))

/** Lower-case address of the key that made a signature; null when the bytes are no signature at all. */
export function recoverSigner(message: string, signature: Hex.Hex): string | null {
  try {
    const parsed = Signature.fromHex(signature)
    return Secp256k1.recoverAddress({ payload: personalHash(message), signature: parsed }).toLowerCase()
  } catch (error) {
    // Whatever is wrong with a signature, the library and the curve below it throw.
    if (error instanceof Error) return null
    throw error
  }
}
