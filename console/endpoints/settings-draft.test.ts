import { describe, expect, test } from 'bun:test'

import { EndpointSettings } from '../../shared/call-settings.ts'
import { readSettings, settingPaths, settingsDraft } from './settings-draft.ts'

describe('settings in the form', () => {
  test.each([
    { byMethod: {} },
    { cache: 'final', transactionNodes: 2, logBlocks: 5_000, byMethod: {} },
    { cache: 'off', hedge: 'p95', totalMs: 20_000, byMethod: { 'debug_*': { attempts: 1 } } },
  ])('come back as they were: %j', (given) => {
    const settings = EndpointSettings.parse(given)
    expect(readSettings(settingsDraft(settings))).toEqual({ kind: 'value', value: settings })
  })

  test('the default of the cache is nothing of its own', () => {
    const draft = settingsDraft({ cache: 'all', byMethod: {} })
    expect(draft.ofNodes.cache).toBe('')
    expect(readSettings(draft)).toEqual({ kind: 'value', value: { byMethod: {} } })
  })

  test('what cannot be is told at its field', () => {
    const draft = settingsDraft({ byMethod: {} })
    const ofNodes = { cache: '', transactionNodes: '9', logBlocks: 'many' } as const
    const reading = readSettings({ ...draft, ofNodes })
    const errors = reading.kind === 'wrong' ? reading.errors : {}
    expect(Object.keys(errors).toSorted()).toEqual(['settings.logBlocks', 'settings.transactionNodes'])
    for (const path of Object.keys(errors)) expect(settingPaths(draft)).toContain(path)
  })
})
