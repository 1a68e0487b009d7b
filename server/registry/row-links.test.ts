import { expect, test } from 'bun:test'

import { linksOf } from './row-links.ts'
import { covers } from '../../tests/support/covers.ts'

test('links come from buttons first, then from any other cell, Markdown or not, each address once', () => {
  covers('operation-open-actions')
  expect(
    linksOf({
      description: 'See [the guide](https://a.example/guide_(new)) or [mail](mailto:help@a.example).',
      mcpEndpoint: 'https://mcp.a.example/mcp',
      actionButtons: ['[Website](https://a.example/)', '[Docs](https://docs.a.example/x?y=1)', 'no link'],
      support: { chat: '[Chat](https://chat.a.example/)' },
      website: 'https://a.example/',
      trial: true,
      price: null,
    }),
  ).toEqual([
    { label: 'Website', url: 'https://a.example/', column: 'actionButtons' },
    { label: 'Docs', url: 'https://docs.a.example/x?y=1', column: 'actionButtons' },
    { label: 'the guide', url: 'https://a.example/guide_(new)', column: 'description' },
    { label: 'mail', url: 'mailto:help@a.example', column: 'description' },
    { label: 'MCP endpoint', url: 'https://mcp.a.example/mcp', column: 'mcpEndpoint' },
    { label: 'Chat', url: 'https://chat.a.example/', column: 'support' },
  ])
})

test('an address that may not be opened is never a link, even where it was not taken out before', () => {
  covers('threat-52')
  const cells = {
    actionButtons: ['[a](javascript:alert(1))', '[b](data:text/html,x)', '[c](/x)'],
    website: 'javascript:alert(1)',
    mcpEndpoint: 'file:///etc/passwd',
  }
  expect(linksOf(cells)).toEqual([])
})
