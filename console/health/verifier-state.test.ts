import { expect, test } from 'bun:test'

import { verifierStates } from '../../shared/verifier-state.ts'
import { isTroubled, verifierStateWords } from './verifier-state.ts'

test('every trouble of a verifier says what to do', () => {
  for (const state of verifierStates.filter(isTroubled)) {
    expect(verifierStateWords[state].advice).not.toBeNull()
    expect(verifierStateWords[state].tone).not.toBe('ok')
  }
})
