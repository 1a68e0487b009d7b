import { parse } from 'yaml'
import type * as z from 'zod/mini'

import { CommandFailure, type ParsedArguments, checked } from './command.ts'

/**
 * Reads what the file describes that is the first argument, `-` for standard input: YAML, of which JSON is a part. Throws
 * `CommandFailure`, which repeats nothing of the file, because a secret may stand there.
 */
export async function readFileArgument<Schema extends z.core.$ZodType>(
  args: ParsedArguments,
  schema: Schema,
): Promise<z.output<Schema>> {
  const path = args.argument(0)
  return checked(schema, parsedText(path, await textOf(path)), 'file')
}

async function textOf(path: string): Promise<string> {
  try {
    return await (path === '-' ? Bun.stdin : Bun.file(path)).text()
  } catch {
    throw new CommandFailure(`${path} cannot be read`)
  }
}

function parsedText(path: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    const place = /at line \d+, column \d+/.exec(error instanceof Error ? error.message : '')?.[0]
    throw new CommandFailure(`${path}: neither YAML nor JSON${place === undefined ? '' : `, ${place}`}`)
  }
}
