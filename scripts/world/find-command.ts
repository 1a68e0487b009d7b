/** Ordinary users often lack the sbin folders in PATH, where Debian puts some of the commands that we start. */
export function findCommand(command: string): string | null {
  return Bun.which(command, { PATH: `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin` })
}

/**
 * The first of these that is installed draws the pages. The shell draws them as the whole browser does, but has no
 * window: the window's own tab strip and toolbar are pages, too, and take half of the browser's processor time.
 */
export const chromiumCommands = ['chromium-headless-shell', 'chromium'] as const

/** Path of Debian's chromium; null where it is not installed. */
export const findChromium = (): string | null =>
  chromiumCommands.map(findCommand).find((path) => path !== null) ?? null
