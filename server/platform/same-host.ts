/** Returns true for two addresses of one host, whatever their schemes and ports. */
export const isOnSameHost = (one: string, other: string): boolean =>
  new URL(one).hostname === new URL(other).hostname
