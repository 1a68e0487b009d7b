import { inputRules } from './input-rules.ts'
import { type Trial, tryRules } from './planted.ts'

const shared = 'shared/keys.ts'
const procedures = 'server/keys/procedures.ts'
const zod = `import * as z from 'zod/mini'\n`

const trials: Trial[] = [
  {
    rule: 'no-bare-strings',
    breaks: [
      {
        tree: { [procedures]: `${zod}export const a = p.input(z.strictObject({ id: z.string() }))` },
        says: `${procedures}:2 no-bare-strings: z.string() in an input`,
      },
      {
        tree: {
          [shared]: `${zod}const Name = z.string().check(z.maxLength(9))\nexport const Input = z.object({ name: Name })`,
          [procedures]: `import { Input } from '../../shared/keys.ts'\nexport const a = p.input(z.extend(Input, {}))`,
        },
        says: `${shared}:2 no-bare-strings: z.string() in an input`,
      },
      {
        tree: {
          [shared]: `${zod}const label = (max: number) =>\n  z.string().check(z.maxLength(max))\nexport const Body = z.array(label(3))`,
          'server/keys/routes.ts': `import { Body } from '../../shared/keys.ts'\napp.post('/keys', () => 1, { body: Body })`,
        },
        says: `${shared}:3 no-bare-strings: z.string() in an input`,
      },
      {
        tree: {
          'server/keys/routes.ts': `const query = z.object({ at: z.iso.datetime() })\napp.get('/keys', h, { query })`,
        },
        says: 'server/keys/routes.ts:1 no-bare-strings: z.iso.datetime() in an input',
      },
      {
        tree: { 'server/gateway/tools/search.ts': `readArguments(z.object({ more: z.unknown() }), given)` },
        says: 'server/gateway/tools/search.ts:1 no-bare-strings: z.unknown() in an input',
      },
      {
        tree: { 'shared/gatehouse-file.ts': `export const GatehouseFile = z.record(z.string(), z.int())` },
        says: 'shared/gatehouse-file.ts:1 no-bare-strings: z.string() in an input',
      },
    ],
    keeps: [
      {
        [shared]: `import { text } from './text.ts'\nexport const Input = z.object({ name: text({ max: 9 }) })\nexport const View = z.object({ name: z.string() })\nexport type View = z.infer<typeof View>`,
        'shared/text.ts': `export const text = ({ max }) => z.string().check(z.maxLength(max))`,
        [procedures]: `import { Input, View } from '../../shared/keys.ts'\nexport const a = p.input(Input).query((): z.infer<typeof View> => View.parse({}))`,
      },
      { 'server/keys/routes.ts': `app.get('/keys', h, { response: { 200: z.string() }, detail: {} })` },
      { 'server/keys/keys.test.ts': `p.input(z.string())` },
    ],
  },
]

tryRules(inputRules, trials)
