import { describe, expect, test } from 'bun:test'

import { readVerifierArguments } from '../../server/verifier/command-line.ts'
import { commandElsewhere, commandHere, isOnlyHere, reachableAddress } from './verifier-commands.ts'

const start = { server: 'https://gatehouse.example', token: 'gvt_abc', name: '', region: '' }

/** The words that a shell makes of a command. */
const wordsOf = (command: string): string[] =>
  Bun.spawnSync(['sh', '-c', `printf '%s\\n' ${command}`])
    .stdout.toString()
    .trimEnd()
    .split('\n')

describe('the command that starts a verifier', () => {
  test('on this machine has the token among its arguments', () => {
    expect(commandHere(start)).toBe(`npm run verifier -- \\
  --server https://gatehouse.example \\
  --token gvt_abc`)
  })

  test('elsewhere keeps the token in a file', () => {
    expect(commandElsewhere({ ...start, region: 'eu-west' }))
      .toBe(`touch verifier-token && chmod 600 verifier-token
echo gvt_abc > verifier-token
npm run verifier -- \\
  --server https://gatehouse.example \\
  --token-file verifier-token \\
  --region eu-west`)
  })

  test('is what the verifier reads, however it is called', () => {
    const name = `Ops' "box"; $(rm -rf) \`x\``
    const [npm, run, verifier, dashes, ...flags] = wordsOf(
      commandHere({ ...start, name, region: 'Frankfurt am Main' }),
    )
    expect([npm, run, verifier, dashes]).toEqual(['npm', 'run', 'verifier', '--'])
    expect(readVerifierArguments(flags)).toMatchObject({
      kind: 'run',
      options: { serverUrl: start.server, token: start.token, name, region: 'Frankfurt am Main' },
    })
  })
})

test.each([
  ['http://127.0.0.1:3000', true],
  ['http://127.8.0.1', true],
  ['http://localhost:3000', true],
  ['http://[::1]:3000', true],
  ['https://gatehouse.example', false],
  ['http://192.168.1.5:3000', false],
  ['https://localhost.example', false],
])('%s is only here: %p', (address, isLoopback) => {
  expect(isOnlyHere(address)).toBe(isLoopback)
})

test.each([
  ['https://gatehouse.example', 'http://127.0.0.1:3000', 'https://gatehouse.example'],
  ['http://127.0.0.1:3000', 'http://192.168.1.5:3000', 'http://192.168.1.5:3000'],
  ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://127.0.0.1:3000'],
])('a server at %s that is seen at %s is reached at %s', (own, asSeen, address) => {
  expect(reachableAddress(own, asSeen)).toBe(address)
})
