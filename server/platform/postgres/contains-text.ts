import type { Sql } from './connections.ts'

type Fragment = ReturnType<Sql>

/**
 * Returns the condition that a text of the database (a column or an expression) contains `part`, in any case of letters.
 * It is unknown, and so not fulfilled, where the text is NULL. No index helps it.
 *
 * What `lower` knows beyond ASCII depends on the locale of the database (in C it is nothing), and not every server has a
 * collation that knows all letters. So it does those of ASCII, and those of `part`, as no others matter, are replaced.
 */
export function containsText(sql: Sql, text: Fragment, part: string): Fragment {
  const letters = [...new Set(part)]
  const small = letters
    .flatMap(capitalsOf)
    .reduce(
      (made, letter) => sql`replace(${made}, ${letter}, ${smallOf(letter)})`,
      sql`lower(${text} COLLATE "C")`,
    )
  return sql`strpos(${small}, ${Array.from(part, smallOf).join('')}) > 0`
}

/** Returns what else than its small letter may stand in a text for a letter, beyond ASCII. */
function capitalsOf(letter: string): string[] {
  const small = smallOf(letter)
  const others = new Set([letter, small.toUpperCase()])
  return [...others].filter((other) => other > lastOfAscii && smallOf(other) === small && other !== small)
}

const lastOfAscii = '\x7F'

/** By way of the capital, so that a typed `ς` finds `Σ`. What has no single small letter stays as it is. */
function smallOf(letter: string): string {
  const small = letter.toUpperCase().toLowerCase()
  return isOneLetter(small) ? small : letter
}

const isOneLetter = (text: string): boolean => Array.from(text).length === 1
