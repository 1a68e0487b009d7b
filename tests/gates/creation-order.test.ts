import { createdBeforeUsed } from './creation-order.ts'
import { type Trial, tryRules } from './planted.ts'

const path = 'server/compose.ts'
const early = (line: number, name: string) => `${path}:${line} created-before-used: uses ${name} too early`

const trials: Trial[] = [
  {
    rule: 'created-before-used',
    breaks: [
      {
        tree: {
          [path]: `function compose() {\n const health = open((id) => endpoints.using(id))\n const endpoints = make(health)\n}`,
        },
        says: early(2, 'endpoints'),
      },
      {
        tree: {
          [path]: `async function compose() {\n const address = () => listener.port\n const { listener } = listen(address)\n}`,
        },
        says: early(2, 'listener'),
      },
      {
        tree: { [path]: `const compose = () => {\n open({ calls })\n const calls = 1\n}` },
        says: early(2, 'calls'),
      },
      {
        tree: { [path]: `function compose() {\n function use() { return a }\n use()\n const a = 1\n}` },
        says: early(2, 'a'),
      },
    ],
    keeps: [
      { [path]: `function compose() { const a = 1; const b = () => a; return b }` },
      {
        [path]: `function compose() { const b = () => make(); return b }\nfunction make() {}\nconst late = 1`,
      },
      {
        [path]: `function compose() { const b = (a: number) => a; const c = { a: 1 }.a; const a = 2; return a }`,
      },
      { [path]: `function compose() { const b = () => { const a = 1; return a }; const a = b(); return a }` },
      { 'server/relay/relay.ts': `function relay() { const b = () => a; const a = 1; return b }` },
    ],
  },
]

tryRules([createdBeforeUsed], trials)
