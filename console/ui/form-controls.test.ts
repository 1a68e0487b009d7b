import { expect, test } from 'bun:test'
import { mount } from '@vue/test-utils'
import { defineComponent, h, nextTick, ref } from 'vue'
import type { Component } from 'vue'

import CheckboxGroup from './CheckboxGroup.vue'
import DateInput from './DateInput.vue'
import { focusFirstInvalid } from './focus-first-invalid.ts'
import FormField from './FormField.vue'
import SelectBox from './SelectBox.vue'
import TagListInput from './TagListInput.vue'
import TextArea from './TextArea.vue'
import TextInput from './TextInput.vue'
import ToggleSwitch from './ToggleSwitch.vue'

/** A control inside a field, in the document, so that it can have the focus. */
function mountInField(control: Component, props: Record<string, unknown>, field: Record<string, string>) {
  return mount(FormField, {
    props: { label: 'Token name', ...field },
    slots: { default: () => h(control, props) },
    attachTo: document.body,
  })
}

test.each([
  ['TextInput', TextInput, { modelValue: 'x' }],
  ['TextArea', TextArea, { modelValue: 'x' }],
  ['SelectBox', SelectBox, { modelValue: 'x', options: [{ value: 'x', label: 'X' }] }],
  ['DateInput', DateInput, { modelValue: null }],
  ['TagListInput', TagListInput, { modelValue: [] }],
] as [string, Component, Record<string, unknown>][])(
  'a field names and describes a %s, and marks it when it is wrong',
  (_name, control, props) => {
    const right = mountInField(control, props, { hint: 'What you call it.' })
    const id = right.get('label').attributes('for')
    const described = right.get('[aria-describedby]')
    expect(described.attributes('id')).toBe(id ?? 'an id')
    expect(described.attributes('aria-invalid')).toBeUndefined()
    right.unmount()

    const wrong = mountInField(control, props, { hint: 'What you call it.', error: 'Required.' })
    const texts = (wrong.get('[aria-invalid=true]').attributes('aria-describedby') ?? '')
      .split(' ')
      .map((part) => document.getElementById(part)?.textContent)
    expect(texts).toEqual(['What you call it.', 'Required.'])
    focusFirstInvalid(document)
    expect(document.activeElement).toBe(wrong.get('[aria-invalid=true]').element)
  },
)

test('a group of check boxes keeps the order of its options', async () => {
  const options = ['read', 'create', 'use'].map((value) => ({ value, label: value }))
  const group = mount(CheckboxGroup<string>, {
    props: { label: 'Permissions', options, modelValue: ['use'] },
  })
  await group.findAll('input')[0]?.setValue(true)
  expect(group.emitted('update:modelValue')).toEqual([[['read', 'use']]])
  await group.findAll('input')[2]?.setValue(false)
  expect(group.emitted('update:modelValue')?.[1]).toEqual([['read']])
})

test('a switch asks for the other state and does not take it by itself', async () => {
  const toggle = mount(ToggleSwitch, { props: { isOn: true, label: 'Key is enabled' } })
  await toggle.trigger('click')
  expect(toggle.emitted('change')).toEqual([[false]])
  expect(toggle.attributes('aria-checked')).toBe('true')
})

test('a date comes from the input or from a usual choice, and can be none', async () => {
  const date = mount(DateInput, { props: { modelValue: null, today: '2026-01-31' } })
  const [week, , , year, never] = date.findAll('button')
  expect(never?.attributes('aria-pressed')).toBe('true')
  await week?.trigger('click')
  await year?.trigger('click')
  await date.get('input').setValue('2026-05-01')
  await date.get('input').setValue('')
  expect(date.emitted('update:modelValue')).toEqual([['2026-02-07'], ['2027-01-31'], ['2026-05-01'], [null]])
  await date.setProps({ modelValue: '2026-02-07' })
  expect(week?.attributes('aria-pressed')).toBe('true')
})

/** Keeps the entries, as a page does. */
const problemOf = (entry: string) => (entry.startsWith('!') ? 'not allowed' : null)
const TagPage = defineComponent({
  setup(_props, { expose }) {
    const entries = ref<readonly string[]>(['one'])
    expose({ entries })
    return () =>
      h(TagListInput, {
        modelValue: entries.value,
        'onUpdate:modelValue': (next: readonly string[]) => (entries.value = next),
        problemOf,
      })
  },
})

test('a list of tags takes what is typed and pasted, once each, and says what is wrong', async () => {
  const page = mount(TagPage, { attachTo: document.body })
  const input = page.get('input')
  await input.setValue('two')
  await input.trigger('keydown', { key: 'Enter' })
  await nextTick()
  const names = () => page.findAll('[data-reka-collection-item]').map((item) => item.text())
  expect(names()).toEqual(['one', 'two'])
  await input.setValue('!bad')
  await input.trigger('blur')
  await nextTick()
  expect(names()).toEqual(['one', 'two', '!bad'])
  expect(page.get('[role=status]').text()).toBe('!bad: not allowed')
  await page.get('[aria-label="Remove !bad"]').trigger('click')
  expect(names()).toEqual(['one', 'two'])
})
