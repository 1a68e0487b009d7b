import { expect, test } from 'bun:test'

import { requestLogBounds } from '../../shared/request-log.ts'
import { keptParams } from './kept-params.ts'

const read = { kind: 'read' }
const call = (params: string, facts = read) => ({ method: 'eth_call', params, facts })

test('a single call has its parameters, a batch a line for each call, a refused call none', () => {
  const data = `0x${'ab'.repeat(200)}`
  expect(keptParams([call(`[{"data":"${data}"},"latest"]`)])).toBe(`[{"data":"${data}"},"latest"]`)
  expect(keptParams([call('["0x1"]'), { method: 'evm_mine' }, { method: null }])).toBe(
    'eth_call ["0x1"]\nevm_mine (not kept)\n(no call) (not kept)',
  )
  expect(keptParams([])).toBe('')
})

test('credentials are taken out, also where they are cut off', () => {
  const secrets = [
    '[{"password":"hunter two"}]',
    '["https://user:hunter@node.example/"]',
    '["Bearer hunterhunter"]',
  ]
  for (const params of secrets) expect(keptParams([call(params)])).not.toContain('hunter')
  const begin = `["${'x'.repeat(requestLogBounds.paramsChars - 30)}",{"apiKey":"`
  expect(keptParams([call(`${begin}hunter-hunter-hunter"}]`)])).not.toContain('hunter')
  expect(keptParams([call('["opensesame"]', { kind: 'key-use' })])).not.toContain('opensesame')
})

test('a long one is cut off, and a large batch, too', () => {
  const { paramsChars } = requestLogBounds
  expect(keptParams([call(`["${'x'.repeat(10 * paramsChars)}"]`)])).toHaveLength(paramsChars + 2)
  const batch = Array.from({ length: 1_000 }, () => call('["0x1"]'))
  expect(keptParams(batch).length).toBeLessThanOrEqual(paramsChars + 2)
})
