import { describe, expect, test } from 'bun:test'

import { type CliCommand, type ParsedArguments, dataDirFlag } from './command.ts'
import { parseArguments } from './parse-arguments.ts'

const idle = async (): Promise<void> => undefined

const add: CliCommand = {
  name: 'nodes add',
  about: 'Adds a node.',
  positionals: [],
  flags: {
    name: { type: 'string', value: 'TEXT', isRequired: true, about: 'its name' },
    tag: { type: 'string', isRepeatable: true, about: 'a tag' },
    force: { type: 'boolean', about: 'do it' },
    ...dataDirFlag,
  },
  run: idle,
}
const remove: CliCommand = {
  name: 'nodes remove',
  about: 'Removes one.',
  positionals: ['ID'],
  flags: {},
  run: idle,
}
const save: CliCommand = { name: 'save', about: 'Saves.', positionals: [], flags: {}, run: idle }
const commands = [add, remove, save]

function given(...args: string[]): ParsedArguments {
  const reading = parseArguments(args, commands)
  if (reading.kind !== 'run') throw new Error(`not understood: ${JSON.stringify(reading)}`)
  return reading.args
}

describe('what is given', () => {
  test('a command of a group gets its flags, repeated ones in order', () => {
    const flags = given('nodes', 'add', '--name', 'Node A', '--tag', 'x', '--tag=y', '--force', '--json')
    expect(flags.required('name')).toBe('Node A')
    expect(flags.texts('tag')).toEqual(['x', 'y'])
    expect([flags.isSet('force'), flags.isJson, flags.dataDir]).toEqual([true, true, null])
  })

  test('a command that stands alone and one with an argument', () => {
    expect(given('save').isJson).toBe(false)
    expect(given('nodes', 'remove', 'node-a').argument(0)).toBe('node-a')
  })

  test('a value may begin with a dash behind an equals sign, and behind -- everything is an argument', () => {
    expect(given('nodes', 'add', '--name=-x').text('name')).toBe('-x')
    expect(given('nodes', 'remove', '--', '--odd').argument(0)).toBe('--odd')
  })

  test('--data-dir names another data folder', () => {
    expect(given('nodes', 'add', '--name', 'a', '--data-dir', 'elsewhere').dataDir).toBe('elsewhere')
  })
})

test.each([
  [['--help'], ['nodes add', 'nodes remove', 'save']],
  [
    ['nodes', '--help'],
    ['nodes add', 'nodes remove'],
  ],
  [['nodes', 'add', '--help'], ['nodes add']],
  [['nodes', 'remove', '--help'], ['nodes remove']],
  [['save', '--help'], ['save']],
])('%j asks for help on %j', (args, names) => {
  const reading = parseArguments(args, commands)
  expect(reading.kind === 'help' ? reading.of.map(({ name }) => name) : reading).toEqual(names)
})

test.each([
  [[], 'Say what to do: nodes, save; see --help.'],
  [['--json'], 'Begin with a command, not with --json: nodes, save.'],
  [['node'], 'There is no command "node"; did you mean "nodes"? See --help.'],
  [['servers'], 'There is no command "servers"; there are nodes, save.'],
  [['nodes'], '"nodes" needs one of add, remove; see --help.'],
  [['nodes', 'list'], 'There is no command "nodes list"; "nodes" has add, remove.'],
  [
    ['nodes', 'add', '--nam', 'a'],
    '"nodes add" has no flag --nam; it has --name, --tag, --force, --data-dir, --json, --help.',
  ],
  [['save', '-x'], '"save" has no flag -x; it has --json, --help.'],
  [['nodes', 'add'], '"nodes add" needs --name; see --help.'],
  [['nodes', 'add', '--name'], '--name needs a value: --name TEXT.'],
  [['nodes', 'add', '--name', '--force'], '--name needs a value: --name TEXT.'],
  [['nodes', 'add', '--name', 'a', '--tag', ''], '--tag needs a value: --tag VALUE.'],
  [['nodes', 'add', '--name', 'a', '--tag='], '--tag needs a value: --tag VALUE.'],
  [['nodes', 'add', '--name', 'a', '--tag', ' , ,'], '--tag needs a value: --tag VALUE.'],
  [['nodes', 'add', '--name', 'a', '--data-dir', ' \n'], '--data-dir needs a value: --data-dir DIR.'],
  [['nodes', 'add', '--name', 'a', '--name', 'b'], '--name is given twice.'],
  [['nodes', 'add', '--name', 'a', '--force=yes'], '--force takes no value.'],
  [['nodes', 'add', '--name', 'a', 'b'], '"nodes add" takes flags only, not "b"; see --help.'],
  [['nodes', 'remove'], '"nodes remove" needs ID; see --help.'],
  [['nodes', 'remove', 'a', 'b'], '"nodes remove" takes ID, not "b"; see --help.'],
  // A prototype's names are no flags.
  [['save', '--constructor'], '"save" has no flag --constructor; it has --json, --help.'],
])('%j is answered in one sentence', (args, message) => {
  expect(parseArguments(args, commands)).toEqual({ kind: 'wrong', message })
})
