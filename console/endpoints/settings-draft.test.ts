import { describe, expect, test } from 'bun:test'

import { EndpointSettings } from '../../shared/call-settings.ts'
import { methodSettingFields, readSettings, settingPaths, settingsDraft } from './settings-draft.ts'

describe('settings in the form', () => {
  test.each([
    { byMethod: {} },
    { cache: 'final', transactionNodes: 2, logBlocks: 5_000, byMethod: {} },
    { byMethod: { 'GET /eth/v1/beacon/genesis': { cacheFor: 'forever' }, 'POST /eth/**': { attempts: 1 } } },
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

  test('the time for which answers are kept has a field where answers can be kept, and where one is set', () => {
    const draft = settingsDraft(
      EndpointSettings.parse({
        byMethod: { 'GET /eth/**': {}, 'POST /eth/**': {}, 'debug_*': { cacheFor: '5s' } },
      }),
    )
    const shown = draft.methods.filter((own) =>
      methodSettingFields(own).some(({ key }) => key === 'cacheFor'),
    )
    expect(shown.map(({ pattern }) => pattern)).toEqual(['GET /eth/**', 'debug_*'])
    const [first, ...others] = draft.methods
    const typed = { pattern: first?.pattern ?? '', texts: { ...draft.all, cacheFor: '12 hours' } }
    const reading = readSettings({ ...draft, methods: [typed, ...others] })
    const path = 'settings.byMethod.GET /eth/**.cacheFor'
    expect(reading.kind === 'wrong' ? Object.keys(reading.errors) : []).toContain(path)
    expect(settingPaths(draft)).toContain(path)
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
