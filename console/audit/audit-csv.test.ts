import { expect, test } from 'bun:test'

import { auditCsv } from './audit-csv.ts'
import { auditEntry } from './test-support/entries.ts'

test('an entry is a line with everything that its hash covers', () => {
  const [header, line, end] = auditCsv([auditEntry({ ip: null })]).split('\r\n')
  expect(header).toBe(
    'number,at,actor,actor name,action,subject kind,subject,subject name,before,after,ip,request,hash,hash before',
  )
  expect(line).toBe(
    `1,2026-01-31T12:00:00.000Z,acc_1,wallet 0x1234…abcd,service.add,service,node-a,Node A,,"{""name"":""Node A""}",,req_1,${'a'.repeat(64)},${'0'.repeat(64)}`,
  )
  expect(end).toBe('')
})
