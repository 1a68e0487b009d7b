import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { mount } from '@vue/test-utils'
import { nextTick } from 'vue'

import { createToasts } from './toasts.ts'
import ToastStack from './ToastStack.vue'

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

function mountStack() {
  const toasts = createToasts()
  const stack = mount(ToastStack, { props: { toasts }, attachTo: document.body })
  const texts = () => stack.findAll('p').map((text) => text.text())
  return { toasts, stack, texts }
}

async function pass(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms)
  await nextTick()
}

test('a toast goes after a while, one with an action later', async () => {
  const { toasts, texts } = mountStack()
  toasts.show('ok', 'Saved.')
  toasts.show('info', 'Removed.', { label: 'Undo', run: () => undefined })
  await nextTick()
  expect(texts()).toEqual(['Saved.', 'Removed.'])
  await pass(6_000)
  expect(texts()).toEqual(['Removed.'])
  await pass(6_000)
  expect(texts()).toEqual([])
})

test('none goes while one points at them, or is in them with the keyboard', async () => {
  const { toasts, stack, texts } = mountStack()
  toasts.show('ok', 'Saved.')
  await nextTick()
  await stack.trigger('pointerenter')
  await pass(60_000)
  expect(texts()).toEqual(['Saved.'])
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'F8' }))
  await stack.trigger('pointerleave')
  await pass(60_000)
  expect([texts(), document.activeElement === stack.element]).toEqual([['Saved.'], true])
  stack.element.blur()
  await nextTick()
  await pass(6_000)
  expect(texts()).toEqual([])
})

test('an action is run once; the toast is gone with it', async () => {
  const runs: string[] = []
  const { toasts, stack, texts } = mountStack()
  toasts.show('info', 'Removed.', { label: 'Undo', run: () => runs.push('undo') })
  await nextTick()
  await stack.get('button').trigger('click')
  expect([runs, texts()]).toEqual([['undo'], []])
})

test('what went wrong is read out at once', async () => {
  const { toasts, stack } = mountStack()
  toasts.show('ok', 'Saved.')
  toasts.show('bad', 'Not saved.')
  await nextTick()
  expect(stack.findAll('[role=alert]').map((toast) => toast.text())).toEqual(['Not saved.'])
  expect(stack.attributes('aria-live')).toBe('polite')
})
