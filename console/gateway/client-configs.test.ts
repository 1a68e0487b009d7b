import { describe, expect, test } from 'bun:test'

import { clientConfigs } from './client-configs.ts'

const url = 'https://gate.example/mcp'
const textOf = (id: string, choice: Partial<Parameters<typeof clientConfigs>[0]> = {}): string =>
  clientConfigs({ url, transport: 'http', hasKey: false, ...choice }).find((config) => config.id === id)
    ?.text ?? ''

describe('configuration of clients', () => {
  test('Claude Code has one command', () => {
    expect(textOf('claude-code')).toBe(`claude mcp add --transport http gatehouse ${url}`)
    expect(textOf('claude-code', { hasKey: true })).toContain('--header "Authorization: Bearer YOUR_API_KEY"')
  })

  test('all others have JSON, with the key as a header and without', () => {
    for (const id of ['claude-desktop', 'cursor', 'vs-code', 'json']) {
      for (const hasKey of [false, true]) {
        const text = textOf(id, { hasKey })
        expect(() => JSON.parse(text)).not.toThrow()
        expect(text).toContain(url)
        expect(text.includes('Authorization')).toBe(hasKey)
      }
    }
  })

  test('VS Code asks for the key', () => {
    const { servers, inputs } = JSON.parse(textOf('vs-code', { hasKey: true, transport: 'sse' }))
    expect(servers.gatehouse).toMatchObject({
      type: 'sse',
      headers: { Authorization: 'Bearer ${input:gatehouse-api-key}' },
    })
    expect(inputs[0]).toMatchObject({ id: 'gatehouse-api-key', password: true })
  })

  test('Claude Desktop is told when the way is not encrypted', () => {
    expect(textOf('claude-desktop', { url: 'http://gate.example/mcp' })).toContain('--allow-http')
    expect(textOf('claude-desktop', { url: 'http://127.0.0.1:8080/mcp' })).not.toContain('--allow-http')
  })
})
