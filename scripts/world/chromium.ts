import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

import { chromiumCommands, findChromium } from './find-command.ts'

/** Debian's chromium with an empty profile; it asks nobody for updates or certificates. `more`: further switches. */
export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? chromiumCommands[0],
    args: [
      '--no-sandbox', // tests may run as root
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
}
