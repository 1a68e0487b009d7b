import { describe, expect, test } from 'bun:test'

import { readAnnouncement } from './announcement.ts'

const provider = { request: async () => null }
const info = { uuid: '1', name: 'Fox', rdns: 'io.fox', icon: 'data:image/svg+xml;base64,PHN2Zy8+' }

describe('the announcement of a wallet', () => {
  test('tells its name, its icon, and how to ask it', () => {
    expect(readAnnouncement({ info, provider })).toEqual({ id: '1', name: 'Fox', icon: info.icon, provider })
  })

  test.each([
    'https://tracker.example/icon.png',
    'data:text/html,<script>',
    'javascript:alert(1)',
    'blob:x',
    '//x/icon.png',
    7,
    undefined,
    `data:image/png;base64,${'A'.repeat(300_000)}`,
  ])('an icon that is no image of its own is left out: %p', (icon) => {
    expect(readAnnouncement({ info: { ...info, icon }, provider })?.icon).toBeNull()
  })

  test.each([
    [null],
    ['text'],
    [{}],
    [{ info }],
    [{ info, provider: {} }],
    [{ info: { ...info, name: ' ' }, provider }],
    [{ info: { ...info, name: 'x'.repeat(61) }, provider }],
    [{ info: { ...info, uuid: '' }, provider }],
    [{ info: null, provider }],
  ])('anything else is none: %p', (detail) => {
    expect(readAnnouncement(detail)).toBeNull()
  })
})
