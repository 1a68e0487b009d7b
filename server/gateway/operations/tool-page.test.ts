import { expect, test } from 'bun:test'

import { leftOutNotice } from './tool-page.ts'

test('an agent is told of tools that are in no list, and why', () => {
  expect(leftOutNotice(0)).toEqual({})
  const why = expect.stringContaining('without a name')
  expect(leftOutNotice(2)).toEqual({ tools_left_out: 2, left_out_because: why })
})
