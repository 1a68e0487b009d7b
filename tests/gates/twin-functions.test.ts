import { type Trial, tryRules } from './planted.ts'
import { noTwinFunctions } from './twin-functions.ts'

const tagged = (name: string): string =>
  `const ${name} = (value: unknown): boolean =>\n  typeof value === 'object' && value !== null && 'tag' in value\n`
const declared = `export function isTagged(value: object) {\n  return typeof value === 'object' && value !== null && 'tag' in value\n}\n`

const trials: Trial[] = [
  {
    rule: 'no-twin-functions',
    breaks: [
      {
        tree: { 'server/a.ts': tagged('isTagged'), 'shared/b.ts': `\n${tagged('hasTag')}` },
        says: 'shared/b.ts:2 no-twin-functions: hasTag does the same as isTagged of server/a.ts',
      },
      {
        tree: { 'server/a.ts': declared, 'console/B.vue': `<script setup>\n${declared}</script>` },
        says: 'console/B.vue:2 no-twin-functions: isTagged does the same as isTagged of server/a.ts',
      },
      {
        tree: { 'server/a.ts': declared, 'server/b.ts': declared.replaceAll('  ', '    ') },
        says: 'server/b.ts:1 no-twin-functions: isTagged does the same as isTagged of server/a.ts',
      },
    ],
    keeps: [
      { 'server/a.ts': tagged('isTagged'), 'server/b.ts': tagged('isTagged').replace('tag', 'name') },
      { 'server/a.ts': tagged('isTagged'), 'server/a.test.ts': tagged('isTagged') },
      { 'server/a.ts': tagged('isTagged'), 'scripts/b.ts': tagged('isTagged') },
      { 'server/a.ts': 'const one = () => ({ is: 1 })', 'server/b.ts': 'const one = () => ({ is: 1 })' },
      {
        'server/a.ts': `const tag = 'a'\n${tagged('isTagged').replace("'tag'", 'tag')}`,
        'server/b.ts': `const tag = 'b'\n${tagged('isTagged').replace("'tag'", 'tag')}`,
      },
    ],
  },
]

tryRules([noTwinFunctions], trials)
