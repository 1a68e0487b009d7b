import { expect, test } from 'bun:test'

import { ReportedError } from '../../reported-error.ts'
import { walletProblem } from './wallet-problem.ts'

const cases: [name: string, error: unknown, text: string][] = [
  ['declined', { code: 4001, message: 'User rejected' }, 'You declined in Fox'],
  ['declined, wrapped', { code: -32_603, data: { originalError: { code: 4001 } } }, 'You declined in Fox'],
  ['locked', { code: 4100 }, 'Fox is locked'],
  ['asked already', { code: -32_002 }, 'Fox has a request open already'],
  ['no network', { code: 4900 }, 'Fox is not connected'],
  ['cannot sign', { code: 4200 }, 'Fox cannot sign messages'],
  ['a text as code', { code: 'ACTION_REJECTED' }, 'Fox did not answer as a wallet should'],
  ['an ordinary error', new Error('boom'), 'Fox did not answer as a wallet should'],
  ['nothing', undefined, 'Fox did not answer as a wallet should'],
]

test.each(cases)('%s', (_name, error, text) => {
  expect(walletProblem(error, 'Fox').message).toStartWith(text)
})

test('what is told already stays as it is', () => {
  const told = new ReportedError('as it is')
  expect(walletProblem(told, 'Fox')).toBe(told)
})
