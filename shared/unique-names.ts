import * as z from 'zod/mini'

/** Refuses the second of two things with one name, at its name: the declarative file has a line for it. */
export const noNameTwice = z.check<readonly { readonly name: string }[]>(({ value, issues }) => {
  const names = new Set<string>()
  for (const [index, { name }] of value.entries()) {
    if (names.has(name))
      issues.push({ code: 'custom', message: 'expected no name twice', input: name, path: [index, 'name'] })
    names.add(name)
  }
})
