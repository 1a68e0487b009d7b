import { expect, test } from 'bun:test'

import { snippetsOf } from './snippets.ts'

test('snippets name the service without being broken by its name', () => {
  const { markdown, html, curl } = snippetsOf('https://gate.example', 'eth:a', 'A [b] "c" <d>')
  const badge = 'https://gate.example/badge/eth%3Aa.svg'
  expect(markdown).toBe(`[![A \\[b\\] "c" <d>](${badge})](https://gate.example/health/eth%3Aa)`)
  expect(html).toContain(`<img src="${badge}" alt="A [b] &quot;c&quot; &lt;d&gt;" height="20">`)
  expect(curl).toBe('curl https://gate.example/health/eth%3Aa')
})
