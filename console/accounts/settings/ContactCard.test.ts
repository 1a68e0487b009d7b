import { beforeEach, expect, test } from 'bun:test'
import { flushPromises } from '@vue/test-utils'
import { defineComponent, h } from 'vue'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import type { ContactDetails } from '../../../shared/accounts.ts'
import { consolePages } from '../../../shared/console-pages.ts'
import { mountPage } from '../../test-support/mount-page.ts'
import { useAccount } from '../account.ts'
import ContactCard from './ContactCard.vue'

const ada = { name: 'Ada', email: 'ada@example.com' }

let stored: ContactDetails | null
let account: ReturnType<typeof useAccount>
beforeEach(() => {
  stored = null
})

const Settings = defineComponent({
  setup() {
    account = useAccount()
    return () => h(ContactCard, { contact: account.current?.contact ?? null })
  },
})

async function open() {
  const { wrapper } = await mountPage(
    Settings,
    {
      'accounts.me': () => ({ id: 'acc_1', teams: [], contact: stored }),
      'accounts.shareContact'(details) {
        stored = { ...ada, ...(details instanceof Object ? details : {}) }
      },
      'accounts.withdrawContact'() {
        stored = null
      },
    },
    consolePages.settings,
  )
  await account.reload()
  await flushPromises()
  const fields = () => wrapper.findAll('input').map(({ element }) => element.value)
  const press = (label: string) =>
    wrapper
      .findAll('button')
      .find((button) => button.text() === label)
      ?.trigger('click')
  return { wrapper, fields, press }
}

/** As another tab changes it, of which this one hears with its account. */
async function changeElsewhere(to: ContactDetails | null): Promise<void> {
  stored = to
  await account.reload()
  await flushPromises()
}

test('details that another tab shares or withdraws stand in the fields', async () => {
  const { wrapper, fields } = await open()
  await changeElsewhere(ada)
  expect(fields()).toEqual(['Ada', 'ada@example.com'])
  await changeElsewhere(null)
  expect(fields()).toEqual(['', ''])
  expect(wrapper.text()).not.toContain('changed elsewhere')
})

test('what is typed stays, with a notice that the details were changed elsewhere', async () => {
  const { wrapper, fields, press } = await open()
  await wrapper.get('input').setValue('Ada L.')
  await changeElsewhere(ada)
  expect(fields()).toEqual(['Ada L.', ''])
  expect(wrapper.text()).toContain('These were changed elsewhere meanwhile')

  await press('Show what is stored')
  expect(fields()).toEqual(['Ada', 'ada@example.com'])
  expect(wrapper.text()).not.toContain('changed elsewhere')
})

test("one's own changes are no changes elsewhere", async () => {
  const { wrapper, fields, press } = await open()
  await wrapper.get('input').setValue(' Ada ')
  await wrapper.get('input[type=email]').setValue('ada@example.com')
  await wrapper.get('form').trigger('submit')
  await waitUntil('the fields show what is stored', () => fields()[0] === 'Ada')
  expect(wrapper.text()).not.toContain('changed elsewhere')

  await press('Withdraw and delete')
  await waitUntil('the fields are empty', () => fields().every((value) => value === ''))
  expect(wrapper.text()).not.toContain('changed elsewhere')
})
