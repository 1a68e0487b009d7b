import { expect, test } from 'bun:test'

import { privateHostsAt, sortRefusedFields } from './field-errors.ts'

const shown = ['endpoint', 'policy.enterBlocks', 'upstreams[0].url', 'upstreams']

test('a refusal that names fields is sorted by them, whatever its texts hold', () => {
  const refused = [
    { path: ['endpoint'], message: 'a private address; an operator can allow it' },
    { path: ['upstreams', 0, 'url'], message: 'an http or https address' },
    { path: ['upstreams', 1, 'ws'], message: 'not here' },
    { path: ['name'], message: 'taken' },
    { path: [], message: 'unknown field colour' },
  ]
  expect(sortRefusedFields(refused, shown)).toEqual({
    fields: {
      endpoint: 'A private address; an operator can allow it.',
      'upstreams[0].url': 'An http or https address.',
      upstreams: 'Not here.',
    },
    rest: 'name: taken; unknown field colour',
  })
})

test('private hosts stand at the fields that are shown', () => {
  const message = 'a private address'
  expect(
    privateHostsAt(
      [
        { path: ['endpoint'], message, privateHost: 'node.internal' },
        { path: ['upstreams', 0, 'url'], message },
        { path: ['ws'], message, privateHost: '10.0.0.5' },
      ],
      shown,
    ),
  ).toEqual({ endpoint: 'node.internal' })
})
