import { type CliCommand, type ParsedArguments, dataDirFlag } from './arguments/command.ts'
import { type ControlClient, connectToServer } from './control-client.ts'
import { printJsonResult, printResult } from './output/terminal.ts'

interface ServerCommand<Answer> extends Pick<CliCommand, 'name' | 'about' | 'notes' | 'reads'> {
  readonly positionals?: readonly string[]
  readonly flags?: CliCommand['flags']
  readonly ask: (client: ControlClient, args: ParsedArguments) => Promise<Answer>
  /** Returns what a person reads. */
  readonly text: (answer: Answer, args: ParsedArguments) => string
  /** Returns what `--json` prints: the answer itself unless this is given. */
  readonly json?: (answer: Answer, args: ParsedArguments) => unknown
}

/** Creates a command that asks the running server for something and prints the answer. */
export const serverCommand = <Answer>(command: ServerCommand<Answer>): CliCommand => ({
  ...command,
  positionals: command.positionals ?? [],
  flags: { ...command.flags, ...dataDirFlag },
  async run(args) {
    const answer = await command.ask(connectToServer(args), args)
    if (args.isJson) printJsonResult(command.json ? command.json(answer, args) : answer)
    else printResult(command.text(answer, args))
  },
})
