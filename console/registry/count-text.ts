/** `1 service`, `1,204 services`. */
export const countText = (count: number, what: string, plural = `${what}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? what : plural}`
