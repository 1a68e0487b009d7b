import { expect, test } from 'bun:test'

import { unknownProviders } from './bound-actions.ts'

const server = (credentialKey: string | null, slug: string) => ({
  credentialKey,
  service_id: `mcpservers:${slug}`,
})
const listed = { ok: true, value: [server('GitHub', 'code'), server(null, 'open')] } as unknown as Parameters<
  typeof unknownProviders
>[1]

test('a name under which no tool server takes a credential is told, with names that begin alike', () => {
  expect(unknownProviders(['github', 'open'], listed)).toBeNull()
  expect(unknownProviders(['gihub', 'open'], listed)).toBe(
    'Bound, but no tool server of the registry asks for a credential of this name: gihub. Names that begin alike: github.',
  )
  const many = Array.from({ length: 7 }, (_, place) => `zz${place}`)
  expect(unknownProviders(many, listed)).toEndWith('zz4, and 2 more.')
})
