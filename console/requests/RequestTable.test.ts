import { expect, test } from 'bun:test'
import { mount } from '@vue/test-utils'

import type { ShownRequest } from '../../shared/request-log.ts'
import RequestTable from './RequestTable.vue'

const request: ShownRequest = {
  id: '1',
  at: 0,
  keyId: 'qkey_1',
  keyName: 'app',
  accountId: 'acc_1',
  endpoint: 'mainnet',
  method: 'eth_getLogs',
  calls: 1,
  class: 'answer',
  status: 200,
  ms: 3,
  attempts: [],
  bytesIn: 1,
  bytesOut: 1,
  credits: 1_280,
  requestId: null,
  weight: 1,
}

test('credits are written as on the other pages', () => {
  const props = { rows: [request], isLoading: false, error: null, isFiltered: false, openId: null }
  const table = mount(RequestTable, { props })
  expect(table.findAll('tbody td').at(-1)?.text()).toBe('1,280')
})
