/** Logs requests until the disk is full, makes room, and prints what the log holds then. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { fillDisk } from '../../../scripts/world/fill-disk.ts'
import {
  finished,
  requestLogUnderTest,
} from '../../../server/request-log/test-support/request-log-under-test.ts'
import { isGap } from '../../../shared/request-log.ts'

const folder = process.argv[2] ?? ''
const ballast = join(folder, 'ballast')
const under = requestLogUnderTest(join(folder, 'requests'))
const requests = await under.open()

requests.add(finished({ method: 'before' }))
await requests.write()
fillDisk(ballast)
for (let second = 0; second < 20; second++) {
  under.at += 1_000
  for (let index = 0; index < 200; index++) requests.add(finished({ class: 'timeout', status: 504 }))
  await requests.write()
}
rmSync(ballast)
under.at += 1_000
requests.add(finished({ method: 'after' }))
const { requests: shown } = await requests.list('acc_1', {})
const [gap] = shown.flatMap((each) => (isGap(each) ? [each] : []))
const methods = shown.map((each) => (isGap(each) ? 'gap' : each.method))
const counted = await requests.counts('acc_1', { from: under.at - 60_000 }, under.at)
const failed = counted.reduce((sum, count) => sum + count.failed, 0)
await requests.stop()
process.stdout.write(
  JSON.stringify({
    hasBefore: (await (await under.open()).list('acc_1', { method: 'before' })).requests.length,
    hasAfter: methods.includes('after'),
    notKept: gap?.notKept ?? 0,
    failed,
  }),
)
process.exit(0)
