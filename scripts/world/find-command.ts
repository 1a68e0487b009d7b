/** Ordinary users often lack the sbin folders in PATH, where Debian puts some of the commands that we start. */
export function findCommand(command: string): string | null {
  return Bun.which(command, { PATH: `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin` })
}
