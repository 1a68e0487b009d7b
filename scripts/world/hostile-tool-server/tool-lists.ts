type List = (cursor: string | undefined) => unknown

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
const many = 50_000
let calls = 0

/** What tools it says to have, by the path it is asked at. */
export const toolLists: Readonly<Record<string, List>> = {
  plain: () => ({ tools: [tool('fine')] }),
  many: () => ({ tools: Array.from({ length: many }, (_, index) => tool(`t${index}`)) }),
  cursor: () => ({ tools: [tool('fine')], nextCursor: 'again' }),
  cursors: (cursor) => ({ tools: [tool(`t${cursor}`)], nextCursor: `${++calls}` }),
  schema: () => ({ tools: [{ ...tool('fine'), description: 'x'.repeat(1_000_000) }] }),
  unnamed: () => ({ tools: [{ inputSchema: { type: 'object' } }] }),
  'no-list': () => ({ tools: 'none' }),
  hidden: () => ({
    tools: [{ ...tool('fine'), description: 'Adds numbers\u200B\u{E0041} and \u202Emore' }, tool('plain')],
  }),
}
