import { beforeEach, expect, test } from 'bun:test'
import { Hex, PersonalMessage, Secp256k1, Signature } from 'ox'

import { hexOf } from './prove-wallet.ts'
import { forgetThrowawayKey, hasThrowawayKey, throwawayWallet } from './throwaway-wallet.ts'

beforeEach(() => localStorage.clear())

const { provider } = throwawayWallet(localStorage)

async function address(): Promise<string> {
  const [first] = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
  return first ?? ''
}

test('its signature is one of its address, as any wallet would sign', async () => {
  const signer = await address()
  const message = hexOf('gate.example.org wants you to sign in … é\n')
  const signature = (await provider.request({
    method: 'personal_sign',
    params: [message, signer],
  })) as Hex.Hex
  const payload = PersonalMessage.getSignPayload(
    Hex.fromString('gate.example.org wants you to sign in … é\n'),
  )
  const recovered = Secp256k1.recoverAddress({ payload, signature: Signature.fromHex(signature) })
  expect(recovered.toLowerCase()).toBe(signer.toLowerCase())
})

test('the key is kept until it is forgotten', async () => {
  expect(hasThrowawayKey(localStorage)).toBe(false)
  const first = await address()
  expect([await address(), hasThrowawayKey(localStorage)]).toEqual([first, true])
  forgetThrowawayKey(localStorage)
  expect(await address()).not.toBe(first)
})

test('a key that was spoilt is replaced', async () => {
  localStorage.setItem('gatehouse-throwaway-key', '0x12')
  expect(await address()).toMatch(/^0x[0-9a-fA-F]{40}$/)
})

test('it does nothing but sign', async () => {
  await expect(provider.request({ method: 'eth_sendTransaction' })).rejects.toMatchObject({ code: 4200 })
})
