/** A command that runs another one in an empty network namespace, or why this machine has none. */
export type Namespace =
  | { available: true; command: readonly string[]; path: string }
  | { available: false; missing: string }

/** As root, or as an ordinary user where the kernel lets users make namespaces of their own. */
const commands = [
  ['unshare', '--net'],
  ['unshare', '--map-root-user', '--net'],
] as const

/** `ip` lives where the search path of an ordinary user does not look. */
export function findNamespace(searchPath: string): Namespace {
  const path = `${searchPath}:/usr/sbin:/sbin`
  for (const [program, debianPackage] of [
    ['unshare', 'util-linux'],
    ['ip', 'iproute2'],
    ['openssl', 'openssl'],
  ] as const) {
    if (Bun.which(program, { PATH: path }) === null)
      return { available: false, missing: `install ${debianPackage}` }
  }
  const env = { PATH: path }
  const command = commands.find(
    (candidate) => Bun.spawnSync([...candidate, 'ip', 'link', 'set', 'lo', 'up'], { env }).exitCode === 0,
  )
  if (command === undefined) {
    return {
      available: false,
      missing: 'allow network namespaces: run as root, or allow unprivileged user namespaces',
    }
  }
  return { available: true, command, path }
}
