/** Logs requests without an end, and prints how many are surely written. */
import {
  finished,
  requestLogUnderTest,
} from '../../../server/request-log/test-support/request-log-under-test.ts'

const under = requestLogUnderTest(process.argv[2] ?? '', { segmentBytes: 20_000 })
const requests = await under.open()
for (let written = 0; ; written += 50) {
  process.stdout.write(`${written}\n`)
  for (let index = 0; index < 50; index++)
    requests.add(finished({ method: `m${written + index}`, class: 'timeout', status: 504 }))
  under.at += 1_000
  await requests.write()
}
