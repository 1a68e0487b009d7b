import { expect, test } from 'bun:test'

import { withFixedArguments } from './fixed-arguments.ts'

const definition = {
  name: 'push',
  inputSchema: { type: 'object', properties: { text: {}, O: {} } },
}

test.each<[string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]>([
  ['in its own case', { repo: 'mine' }, { text: 'x', repo: 'other' }, { text: 'x', repo: 'mine' }],
  ['in another case', { repo: 'mine' }, { text: 'x', Repo: 'other' }, { text: 'x', repo: 'mine' }],
  ['in both', { repo: 'mine' }, { repo: 'other', REPO: 'other' }, { repo: 'mine' }],
  ['with a long s', { sum: 1 }, { '\u017fum': 2 }, { sum: 1 }],
  ['in a case that is fixed too', { repo: 'mine', Repo: 'yours' }, {}, { repo: 'mine', Repo: 'yours' }],
  ['in a case that the tool itself asks for', { o: 'mine' }, { O: true }, { o: 'mine', O: true }],
])('nobody gives an argument that is fixed: %s', (_, fixed, given, sent) => {
  expect(withFixedArguments({ fixed, definition }, given)).toEqual(sent)
})
