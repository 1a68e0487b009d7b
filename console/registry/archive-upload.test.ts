import { expect, test } from 'bun:test'

import { uploadProblem } from './archive-upload.ts'

test.each([
  [{ name: 'registry.tar.gz', size: 319_952 }, null],
  [{ name: 'registry.tgz', size: 1 }, null],
  [{ name: 'registry.zip', size: 10 }, 'Choose a .tar.gz file.'],
  [{ name: 'registry.tar.gz', size: 0 }, 'The file is empty.'],
])('%j', (file, problem) => {
  expect(uploadProblem(file)).toBe(problem)
})

test('one that is too large is for the command line', () => {
  expect(uploadProblem({ name: 'big.tar.gz', size: 3_000_001 })).toContain(
    'gatehouse registry import big.tar.gz',
  )
})
