/**
 * `npm run pictures`: makes the pictures of the documents anew, from a real server with real nodes, verifiers, keys and
 * a tool server, looked at in Debian's chromium.
 */
import { takePictures } from './pictures/pages.ts'
import type { PictureName } from './pictures/pages.ts'
import { pictureNames } from './pictures/pages.ts'
import { startPictureWorld } from './pictures/world.ts'
import { print } from './print.ts'
import { readScriptArguments } from './script-arguments.ts'
import { findChromium } from './world/find-command.ts'

const help = `Makes the pictures of the console that the documents show, in console/pictures.

  npm run pictures                  all of them, in half a minute to a minute and a half
  npm run pictures -- usage service only these: ${pictureNames.join(', ')}

Needs Debian's chromium (apt install chromium-headless-shell). What was there is replaced.
`

const { positionals } = readScriptArguments({ name: 'pictures', help }, { allowPositionals: true })
const unknown = positionals.filter((name) => !isPictureName(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no picture ${unknown.join(', ')}. There are: ${pictureNames.join(', ')}\n`)
  process.exit(2)
}
if (findChromium() === null) {
  process.stderr.write('There is no chromium on the PATH. On Debian: apt install chromium-headless-shell\n')
  process.exit(2)
}

const world = await startPictureWorld(print)
try {
  const names = positionals.filter(isPictureName)
  await takePictures(world, names.length > 0 ? names : pictureNames, print)
} finally {
  await world.stop()
}
process.exit(0)

function isPictureName(name: string): name is PictureName {
  return (pictureNames as readonly string[]).includes(name)
}
