import { expect, test } from 'bun:test'

import { verifierHelpText, readVerifierArguments } from './command-line.ts'

const server = 'https://gatehouse.example'

test('the least that is needed is the server', () => {
  expect(readVerifierArguments(['--server', server])).toEqual({
    kind: 'run',
    options: {
      serverUrl: server,
      token: null,
      tokenFile: null,
      name: null,
      region: 'unspecified',
      folder: './verifier-data',
      allowPrivate: [],
    },
  })
})

test('everything that can be said', () => {
  const args = ['--server', server, '--token-file', 't', '--name', 'n', '--region', 'r', '--state', 's']
  const cidrs = ['--allow-private', '10.0.0.0/8,127.0.0.0/8', '--allow-private=fd00::/8']
  expect(readVerifierArguments([...args, ...cidrs])).toMatchObject({
    options: { tokenFile: 't', name: 'n', region: 'r', folder: 's' },
  })
  expect(readVerifierArguments([...args, ...cidrs])).toMatchObject({
    options: { allowPrivate: ['10.0.0.0/8', '127.0.0.0/8', 'fd00::/8'] },
  })
})

test.each([
  [[], '--server is missing; see --help.'],
  [['--server', 'gatehouse'], '--server must be an http or https address without user, query or fragment.'],
  [
    ['--server', 'https://user:secret@host/'],
    '--server must be an http or https address without user, query or fragment.',
  ],
  [
    ['--server', server, '--token', 'a', '--token-file', 'b'],
    'Give either --token or --token-file, not both.',
  ],
  [['--sever', server], "Unknown option '--sever'. See --help."],
])('%p is answered with one sentence', (args, message) => {
  expect(readVerifierArguments(args)).toEqual({ kind: 'wrong', message })
})

test('help wins over mistakes, and names every flag', () => {
  expect(readVerifierArguments(['--help'])).toEqual({ kind: 'help' })
  for (const flag of ['server', 'token', 'token-file', 'name', 'region', 'state', 'allow-private', 'help']) {
    expect(verifierHelpText).toContain(`--${flag} `)
  }
})
