/** Checked secrets by provider, in lower case: header names have no case, and all ways of bringing secrets are alike. */
export const secretsOf = (bag: Readonly<Record<string, unknown>>): Map<string, string> =>
  new Map(
    Object.entries(bag).flatMap(([name, secret]) =>
      typeof secret === 'string' ? [[name.toLowerCase(), secret.trim()] as const] : [],
    ),
  )
