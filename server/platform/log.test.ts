import { expect, test } from 'bun:test'

import { type LogLevel, createLog } from './log.ts'

function recorded(level: LogLevel) {
  const lines: string[] = []
  const log = createLog({ level, destination: { write: (line: string) => lines.push(line) } })
  return { log, lines }
}

test('one JSON line per event: level, UTC time, fields, message', () => {
  const { log, lines } = recorded('info')
  log.info('service added', { serviceId: 'node-a', count: 2 })
  expect(lines).toHaveLength(1)
  const { time, ...rest } = JSON.parse(lines[0] ?? '')
  expect(rest).toEqual({ level: 'info', serviceId: 'node-a', count: 2, msg: 'service added' })
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('levels below the set one are silent', () => {
  const { log, lines } = recorded('warn')
  log.debug('a')
  log.info('b')
  log.warn('c')
  log.error('d')
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(['warn', 'error'])
})

test('secrets are hidden in message and fields', () => {
  const { log, lines } = recorded('info')
  log.error('refused Bearer abcdef123456', {
    headers: { authorization: 'canary-1' },
    url: 'https://u:canary-2@h.example',
  })
  expect(lines.join('')).not.toMatch(/abcdef123456|canary/)
})

test('line breaks and escapes cannot forge a line', () => {
  const { log, lines } = recorded('info')
  log.info('a\r\n{"level":"error"}\u001b[31m', { 'b\nc': 'd\r\n\u001b[2J\u009b' })
  expect(lines).toHaveLength(1)
  // eslint-disable-next-line no-control-regex
  expect(lines[0]?.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
})

test('a field cannot pose as level, time or message', () => {
  const { log, lines } = recorded('info')
  log.info('real', { level: 'fatal', time: 0, msg: 'forged' })
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    msg: 'real',
    level_: 'fatal',
    msg_: 'forged',
  })
})

test('a line is bounded', () => {
  const { log, lines } = recorded('info')
  const long = 'lorem ipsum '.repeat(1_000)
  log.info('big', Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, long])))
  expect(lines[0]?.length).toBeLessThan(17_000)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'big', fieldsLeftOut: expect.any(Array) })
})
