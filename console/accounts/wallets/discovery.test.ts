import { expect, test } from 'bun:test'
import { flushPromises, mount } from '@vue/test-utils'
import { defineComponent, h } from 'vue'

import { injectedWallet, useWallets } from './discovery.ts'

const provider = { request: async () => null }
const listing = defineComponent(() => {
  const wallets = useWallets()
  return () => h('p', wallets.value.map(({ name }) => name).join(', '))
})

function announce(uuid: string, name: string): void {
  const info = { uuid, name, icon: 'data:image/png;base64,AA==', rdns: 'org.example' }
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
}

test('wallets are asked to announce themselves, also those that come later; each is listed once', async () => {
  const answer = (): void => announce('1', 'Fox')
  addEventListener('eip6963:requestProvider', answer)
  const list = mount(listing)
  await flushPromises()
  expect(list.text()).toBe('Fox')
  announce('2', 'Rabbit')
  announce('1', 'Fox, renamed')
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: 'nonsense' }))
  await flushPromises()
  expect(list.text()).toBe('Rabbit, Fox, renamed')
  removeEventListener('eip6963:requestProvider', answer)
})

test('a wallet in the old way is offered until one announces itself', async () => {
  Object.assign(window, { ethereum: provider })
  try {
    const list = mount(listing)
    await flushPromises()
    expect(list.text()).toBe('Wallet of this browser')
    announce('1', 'Fox')
    await flushPromises()
    expect(list.text()).toBe('Fox')
  } finally {
    Reflect.deleteProperty(window, 'ethereum')
  }
})

test('what is no wallet is not taken for one', () => {
  for (const page of [{}, { ethereum: null }, { ethereum: {} }, { ethereum: { request: 1 } }]) {
    expect(injectedWallet(page)).toEqual([])
  }
})
