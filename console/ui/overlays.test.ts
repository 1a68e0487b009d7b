import { describe, expect, test } from 'bun:test'
import { flushPromises, mount } from '@vue/test-utils'

import ActionButton from './ActionButton.vue'
import CommandPalette from './CommandPalette.vue'
import ConfirmByName from './ConfirmByName.vue'
import NavItem from './NavItem.vue'
import PagerBar from './PagerBar.vue'
import { createToasts } from './toasts.ts'

describe('a confirmation', () => {
  test.each([
    ['the name', { name: 'Build server' }, 'build server', 'Build server '],
    ['the end of the id', { id: 'qkey_0f3a5c7e9b1d' }, 'qkey_0', '7e9b1d'],
  ])('happens only when %s was typed', async (_, named, wrong, right) => {
    const dialog = mount(ConfirmByName, {
      props: { open: true, title: 'Delete?', action: 'Delete key', ...named },
      attachTo: document.body,
    })
    await flushPromises()
    const input = document.querySelector('input')
    const form = document.querySelector('form')
    const button = [...document.querySelectorAll('button')].find(
      ({ textContent }) => textContent === 'Delete key',
    )
    const type = async (text: string) => {
      if (input === null) throw new TypeError('there is no input')
      input.value = text
      input.dispatchEvent(new Event('input'))
      form?.dispatchEvent(new Event('submit'))
      await flushPromises()
    }
    await type(wrong)
    expect([button?.disabled, dialog.emitted('confirm')]).toEqual([true, undefined])
    await type(right)
    expect([button?.disabled, dialog.emitted('confirm')?.length]).toEqual([false, 1])
    expect(document.activeElement).toBe(input)
    dialog.unmount()
  })
})

describe('the palette', () => {
  test('finds, chooses and closes', async () => {
    const keys = { id: 'keys', title: 'API keys', group: 'Go to' }
    const items = [{ id: 'services', title: 'Services', group: 'Go to' }, keys]
    const palette = mount(CommandPalette<typeof keys>, {
      props: { open: true, items },
      attachTo: document.body,
    })
    await flushPromises()
    const input = document.querySelector('input')
    if (input === null) throw new TypeError('there is no input')
    input.value = 'key'
    input.dispatchEvent(new Event('input'))
    await flushPromises()
    const options = [...document.querySelectorAll('[role=option]')]
    expect(options.map(({ textContent }) => textContent)).toEqual(['API keysGo to'])
    options[0]?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    await flushPromises()
    expect(palette.emitted('choose')).toEqual([[keys]])
    expect(palette.emitted('update:open')).toEqual([[false]])
  })
})

test('a busy button does nothing, but keeps the focus', async () => {
  const clicks: string[] = []
  const button = mount(ActionButton, {
    props: { isBusy: true },
    attrs: { onClick: () => clicks.push('click') },
    attachTo: document.body,
  })
  button.element.focus()
  await button.trigger('click')
  expect([clicks, document.activeElement === button.element]).toEqual([[], true])
  await button.setProps({ isBusy: false })
  await button.trigger('click')
  expect(clicks).toEqual(['click'])
})

test('at the end of a list the button that leads on does nothing, but keeps the focus', async () => {
  const pager = mount(PagerBar, { props: { label: 'Pages', hasPrevious: true, hasNext: false } })
  const [previous, next] = pager.findAll('button')
  await next?.trigger('click')
  await previous?.trigger('click')
  expect([pager.emitted('next'), pager.emitted('previous')?.length]).toEqual([undefined, 1])
  expect(next?.attributes()).toMatchObject({ 'aria-disabled': 'true' })
  expect(next?.attributes('disabled')).toBeUndefined()
})

test('a place to go is a link, or what the router has in place of one', () => {
  const plain = mount(NavItem, {
    props: { to: '/keys', title: 'API keys' },
    attrs: { 'aria-current': 'page' },
  })
  expect(plain.get('a').attributes()).toMatchObject({ href: '/keys', 'aria-current': 'page' })
  const routed = mount(NavItem, {
    props: { to: '/keys', title: 'API keys', as: { props: ['to'], template: '<b>{{ to }}</b>' } },
  })
  expect(routed.get('b').text()).toBe('/keys')
})

test('of many toasts the newest stay', () => {
  const toasts = createToasts()
  for (const text of ['a', 'b', 'c', 'd', 'e']) toasts.show('info', text)
  expect(toasts.list.map(({ text }) => text)).toEqual(['b', 'c', 'd', 'e'])
  toasts.dismiss(toasts.list[1]?.id ?? 0)
  toasts.dismiss(999)
  expect(toasts.list.map(({ text }) => text)).toEqual(['b', 'd', 'e'])
})
