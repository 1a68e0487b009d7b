import { afterEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { temporaryDataDir } from '../../scripts/world/database.ts'
import { gatherLeft, workerFolder } from './worker-folders.ts'

const dataDir = temporaryDataDir()
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const alone = dataDir
const worker = (number: number): string => workerFolder(dataDir, number)
const requestsOf = (folder: string, file: string): string => join(folder, 'private/requests/acc_1', file)
const countsOf = (folder: string, file: string): string => join(folder, 'private/usage', file)

function write(path: string, content = path): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

test('with fewer workers the first has what the others left, and each keeps its own requests', () => {
  for (const number of [1, 2, 3]) {
    write(requestsOf(worker(number), `${number}.jsonl`))
    write(countsOf(worker(number), `${number}.usage`))
  }
  write(requestsOf(alone, 'alone.jsonl'))
  gatherLeft(dataDir, worker(1), [worker(1), worker(2)])
  for (const name of ['1', '3', 'alone'])
    expect(existsSync(requestsOf(worker(1), `${name}.jsonl`))).toBe(true)
  expect(existsSync(requestsOf(worker(2), '2.jsonl'))).toBe(true)
  for (const name of ['1', '2', '3']) expect(existsSync(countsOf(worker(1), `${name}.usage`))).toBe(true)
})

test('a server alone has what workers left, and writes over nothing', () => {
  write(requestsOf(alone, 'same.jsonl'), 'its own')
  write(requestsOf(worker(1), 'same.jsonl'), "the worker's")
  write(requestsOf(worker(1), 'other.jsonl'))
  gatherLeft(dataDir, alone)
  expect(readFileSync(requestsOf(alone, 'same.jsonl'), 'utf8')).toBe('its own')
  expect(readFileSync(requestsOf(worker(1), 'same.jsonl'), 'utf8')).toBe("the worker's")
  expect(existsSync(requestsOf(alone, 'other.jsonl'))).toBe(true)
})
