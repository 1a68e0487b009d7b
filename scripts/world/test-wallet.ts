import { Address, Hex, PersonalMessage, Secp256k1, Signature } from 'ox'

/** A wallet with one key, as a browser extension holds it. */
export interface TestWallet {
  /** EIP-55 form. */
  readonly address: Address.Address
  /** `personal_sign`: 65 bytes in hexadecimal. */
  sign(message: string): Hex.Hex
}

export function createTestWallet(): TestWallet {
  const privateKey = Secp256k1.randomPrivateKey()
  return {
    address: Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey }), { checksum: true }),
    sign: (message) => {
      const payload = PersonalMessage.getSignPayload(Hex.fromString(message))
      return Signature.toHex(Secp256k1.sign({ payload, privateKey }))
    },
  }
}
