/** `npm run client`: makes the types of the client in `scripts/client/` from the description that a server gives of its API. */
import { clientTypesOf } from './client/client-types.ts'
import { print } from './print.ts'
import { readScriptArguments } from './script-arguments.ts'
import { createTestInstallation } from './world/gatehouse-process.ts'

const help = `Makes the types of the client in scripts/client/ from the description that a server gives of its API.

  npm run client
`

readScriptArguments({ name: 'client', help }, {})
const path = 'scripts/client/schema.d.ts'
const installation = await createTestInstallation()
try {
  const { url } = await installation.start()
  await Bun.write(path, await clientTypesOf(url))
  print(`Wrote ${path}`)
} finally {
  await installation.remove()
}
