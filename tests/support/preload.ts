import { randomInt } from 'node:crypto'

import { configureGlobal } from 'fast-check'

/** One seed for all properties of a run, so that a failure can be repeated. `scripts/test.ts` chooses and prints it. */
const chosen = process.env.GATEHOUSE_TEST_SEED
const seed = chosen === undefined ? randomInt(2 ** 31) : Number(chosen)
if (chosen === undefined)
  process.stdout.write(`fast-check seed ${seed} (repeat with GATEHOUSE_TEST_SEED=${seed})\n`)
configureGlobal({ seed })
