import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { flushPromises, mount } from '@vue/test-utils'

import { CopyError } from './clipboard.ts'
import CopyButton from './CopyButton.vue'
import SecretField from './SecretField.vue'
import { createToasts, toastsKey } from './toasts.ts'

/** What the browser was told to copy; it can be made to refuse. */
const clipboard = { copied: [] as string[], refuses: false }

beforeEach(() => {
  clipboard.copied = []
  clipboard.refuses = false
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true })
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: {
      async writeText(text: string) {
        if (clipboard.refuses) throw new DOMException('no', 'NotAllowedError')
        clipboard.copied.push(text)
      },
      async write([item]: [ClipboardItem]) {
        if (clipboard.refuses) throw new DOMException('no', 'NotAllowedError')
        clipboard.copied.push(await (await item.getType('text/plain')).text())
      },
    },
  })
})

afterEach(() => jest.useRealTimers())

describe('a copy button', () => {
  test('says that it copied only after it did', async () => {
    const button = mount(CopyButton, { props: { text: 'value' } })
    expect(button.get('[role=status]').text()).toBe('')
    await button.get('button').trigger('click')
    await flushPromises()
    expect([clipboard.copied, button.get('[role=status]').text()]).toEqual([['value'], 'Copied'])
  })

  test('says that the browser refused, and passes it on where the text is not shown', async () => {
    clipboard.refuses = true
    const toasts = createToasts()
    const global = { provide: { [toastsKey]: toasts } }
    const plain = mount(CopyButton, { props: { text: 'value' }, global })
    await plain.get('button').trigger('click')
    await flushPromises()
    expect(plain.get('[role=status]').text()).toBe('')
    expect(toasts.list.map(({ tone, text }) => [tone, text])).toEqual([
      ['bad', 'The browser did not copy it: select the text and copy it yourself.'],
    ])
    expect(plain.emitted('failed')).toBeUndefined()

    const secret = mount(CopyButton, { props: { text: async () => 'value' }, global })
    await secret.get('button').trigger('click')
    await flushPromises()
    expect(secret.emitted('failed')?.[0]?.[0]).toBeInstanceOf(CopyError)
    expect(toasts.list).toHaveLength(1)
  })

  test('copies by the old way over plain http, and takes away what it needed for that', async () => {
    Object.defineProperty(window, 'isSecureContext', { value: false, configurable: true })
    const selected: string[] = []
    document.execCommand = () => {
      selected.push(document.querySelector('textarea')?.value ?? '')
      return true
    }
    const button = mount(CopyButton, { props: { text: 'value' }, attachTo: document.body })
    await button.get('button').trigger('click')
    await flushPromises()
    expect(selected).toEqual(['value'])
    expect(document.querySelector('textarea')).toBeNull()
    expect(button.get('[role=status]').text()).toBe('Copied')
  })
})

describe('a secret', () => {
  test('is hidden until it is asked for, and again after a minute', async () => {
    jest.useFakeTimers()
    const field = mountSecret(async () => 'gak_whole')
    expect(field.get('code').text()).toBe('gak_…6789')
    await field.get('[aria-label="Show the key"]').trigger('click')
    await flushPromises()
    expect(field.get('code').text()).toBe('gak_whole')
    jest.advanceTimersByTime(60_000)
    await flushPromises()
    expect(field.get('code').text()).toBe('gak_…6789')
  })

  test('is hidden when somebody says so, and when the tab is left', async () => {
    const field = mountSecret(async () => 'gak_whole')
    for (const hide of [() => field.get('[aria-label="Hide the key"]').trigger('click'), () => leaveTab()]) {
      await field.get('[aria-label="Show the key"]').trigger('click')
      await flushPromises()
      expect(field.get('code').text()).toBe('gak_whole')
      await hide()
      await flushPromises()
      expect(field.get('code').text()).toBe('gak_…6789')
    }
  })

  test('is copied without being shown', async () => {
    const field = mountSecret(async () => 'gak_whole')
    await field.get('[aria-label="Copy the key"]').trigger('click')
    await flushPromises()
    expect([clipboard.copied, field.get('code').text()]).toEqual([['gak_whole'], 'gak_…6789'])
  })

  test('that is not given out stays hidden', async () => {
    const field = mountSecret(() => Promise.reject(new Error('sign in again')))
    await field.get('[aria-label="Show the key"]').trigger('click')
    await flushPromises()
    expect(field.get('code').text()).toBe('gak_…6789')
    expect(field.emitted('failed')).toEqual([[new Error('sign in again')]])
  })
})

const mountSecret = (reveal: () => Promise<string>) =>
  mount(SecretField, { props: { name: 'the key', hint: 'gak_…6789', reveal, hideAfterMs: 60_000 } })

function leaveTab(): void {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
  Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
}
