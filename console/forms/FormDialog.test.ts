import { expect, spyOn, test } from 'bun:test'
import { flushPromises, mount } from '@vue/test-utils'
import { type PropType, defineComponent, h, reactive } from 'vue'
import { createMemoryHistory, createRouter } from 'vue-router'

import { trpc } from '../trpc.ts'
import FormField from '../ui/FormField.vue'
import TextInput from '../ui/TextInput.vue'
import FormDialog from './FormDialog.vue'
import { useFormSubmit } from './use-form-submit.ts'

const names = ['first', 'second'] as const

const NameForm = defineComponent({
  props: {
    latest: String,
    send: {
      type: Function as PropType<() => Promise<unknown>>,
      default: () => Promise.reject(new Error('The disk is full')),
    },
  },
  emits: ['close'],
  setup(props, { emit }) {
    const draft = reactive({ first: '', second: '' })
    const { submit, errors, otherError, isLoading } = useFormSubmit({
      fields: () => names,
      read: () =>
        draft.second === ''
          ? { kind: 'wrong', errors: { second: 'Required.' } }
          : { kind: 'value', value: draft },
      send: props.send,
      onDone: () => undefined,
    })
    const field = (name: (typeof names)[number]) =>
      h(FormField, { label: name, error: errors.value[name] }, () =>
        h(TextInput, { modelValue: draft[name], 'onUpdate:modelValue': (text) => (draft[name] = text) }),
      )
    const frame = { title: 'Names', draft, onSubmit: submit, onClose: () => emit('close') }
    return () =>
      h(
        FormDialog,
        { ...frame, subject: props.latest, isBusy: isLoading.value, error: otherError.value },
        () => names.map(field),
      )
  },
})

const press = async (label: string): Promise<void> => {
  const buttons = [...document.querySelectorAll('button')]
  buttons.find(({ textContent }) => textContent?.trim() === label)?.click()
  await flushPromises()
}
const shownText = (): string => document.querySelector('[role=dialog]')?.textContent ?? ''

test('a form shows what is wrong, what changed elsewhere, and asks before what was typed is thrown away', async () => {
  const router = createRouter({ history: createMemoryHistory(), routes: [] })
  const form = mount(NameForm, {
    props: { latest: 'one' },
    attachTo: document.body,
    global: { plugins: [router] },
  })
  await flushPromises()
  await press('Save')
  const second = document.querySelectorAll('input')[1]
  expect(document.activeElement).toBe(second ?? null)
  expect(shownText()).toContain('Required.')

  if (second === undefined) throw new TypeError('there is no second field')
  second.value = 'x'
  second.dispatchEvent(new Event('input'))
  await press('Save')
  expect(shownText()).toContain('It was not saved')

  expect(shownText()).not.toContain('changed elsewhere')
  await form.setProps({ latest: 'two' })
  expect(shownText()).toContain('changed elsewhere')

  await press('Cancel')
  expect(form.emitted('close')).toBeUndefined()
  await press('Close without saving')
  expect(form.emitted('close')).toHaveLength(1)
})

test('a form of which no answer came does not claim that nothing was done', async () => {
  const router = createRouter({ history: createMemoryHistory(), routes: [] })
  const network = spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  const form = mount(NameForm, {
    props: { latest: 'one', send: () => trpc.teams.create.mutate({ name: 'Ops' }) },
    attachTo: document.body,
    global: { plugins: [router] },
  })
  await flushPromises()
  const second = document.querySelectorAll('input')[1]
  if (second !== undefined) second.value = 'something'
  second?.dispatchEvent(new Event('input'))
  await press('Save')
  expect(shownText()).toContain('It is not known whether this was done')
  expect(shownText()).toContain('it is not done twice')
  expect(shownText()).not.toContain('It was not saved')
  form.unmount()
  network.mockRestore()
})
