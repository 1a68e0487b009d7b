import { expect, test } from 'bun:test'

import { browserName } from './browser-name.ts'

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const headers: [userAgent: string | null, name: string][] = [
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/142.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${chrome}`, 'Chrome on Android'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
    'Safari on iOS',
  ],
  ['curl/8.5.0', 'A program'],
  ['<script>alert(1)</script>', 'A program'],
  [null, 'A program'],
]

for (const [userAgent, name] of headers) {
  test(`${name}: ${userAgent?.slice(0, 40)}`, () => expect(browserName(userAgent)).toBe(name))
}

test('nothing of a header is ever kept', () => {
  expect(browserName(`${'x'.repeat(100_000)} Firefox/1`)).toBe('A program')
})
