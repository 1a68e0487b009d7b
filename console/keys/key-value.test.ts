import { describe, expect, test } from 'bun:test'
import { mount } from '@vue/test-utils'
import { createMemoryHistory, createRouter } from 'vue-router'

import KeyValue from './KeyValue.vue'
import NewKeyBanner from './NewKeyBanner.vue'
import { keyView } from './test-support/key-view.ts'

const global = { plugins: [createRouter({ history: createMemoryHistory(), routes: [] })] }
const key = keyView({ previous: { hint: 'gak_…old1', endsAt: Date.now() + 7_200_000 } })

describe('where keys are not shown again', () => {
  test('there is nothing to show or copy', () => {
    const value = mount(KeyValue, { props: { keyView: key, reveal: null } })
    expect(value.get('code').text()).toBe('gak_…x7Qz')
    expect(value.find('button').exists()).toBe(false)
  })

  test('the banner says so', () => {
    const props = {
      keyView: keyView(),
      value: 'gak_whole',
      kind: 'created',
      command: 'curl',
    } as const
    const banner = mount(NewKeyBanner, { props: { ...props, canReveal: false }, global })
    expect(banner.text()).toContain('Copy it now: this installation does not show keys again.')
  })
})

test('a value that was rotated out is named with its end', () => {
  const value = mount(KeyValue, { props: { keyView: key, reveal: async () => 'gak_whole' } })
  expect(value.text()).toMatch(/The old value gak_…old1 ends in (?:1 hour|2 hours)/)
})

test('the banner of a rotation says until when the old value works', () => {
  const props = { value: 'gak_whole', kind: 'rotated', command: 'curl', canReveal: true } as const
  const overlapping = mount(NewKeyBanner, { props: { ...props, keyView: key }, global })
  expect(overlapping.text()).toMatch(/The old value gak_…old1 works until/)
  const atOnce = mount(NewKeyBanner, { props: { ...props, keyView: keyView() }, global })
  expect(atOnce.text()).toContain('The old value is refused from now on.')
})
