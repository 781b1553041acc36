import { beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { defineCommand, fullName, type CommandContext } from './command'
import { findTarget, readArguments, readAsked, unknownCommand } from './commandLine'
import { commands } from './commands'
import { rangeOptions } from './memoryRange'
import { Output, terminalsOf } from './output'
import { machine, recordingTime, timeIn, withDefault, number, texts, flag, folderPath } from './parameters'
import { UsageError } from './usageError'

const context: CommandContext = {
  output: new Output('test', false, terminalsOf(process, {})),
  folder: '/work',
  environment: {},
  streams: process,
  commands,
  resources: '/resources',
  signal: new AbortController().signal,
  openSession: () => Promise.reject(new Error('a session was asked for')),
  findSession: () => Promise.reject(new Error('a session was asked for')),
  ownSessions: () => {
    throw new Error('a session was asked for')
  },
}

/** As the program does. */
async function call(line: string): Promise<number> {
  const words = line.split(' ')
  const { command, group, rest } = findTarget(words, commands)
  if (!command) throw unknownCommand(words, group, commands)
  return command.run(context, readArguments(command, rest))
}

describe('the values of a command', () => {
  const options = {
    ...rangeOptions,
    machine: machine('A machine.'),
    at: recordingTime('A time.'),
    from: recordingTime('A time.'),
    rate: withDefault(number('HZ', 'A rate.', { min: 0.1, max: 60, isWhole: false }), 2),
    set: texts('TEXT', 'Texts.'),
    yes: flag('A flag.'),
  }
  const seen: unknown[] = []
  const probe = defineCommand({
    name: 'probe',
    summary: 'Shows what it gets.',
    options,
    run: (_, values) => {
      seen.push(values)
      return Promise.resolve(0)
    },
  })
  const read = async (line: string) => {
    await probe.run(context, readArguments(probe, line.split(' ')))
    return seen.at(-1)
  }
  beforeEach(() => seen.splice(0))

  it('say their default, the working folder in words', () => {
    expect(options.rate.help).toBe('A rate. From 0.1 to 60. Default: 2.')
    expect(withDefault(folderPath('A folder.'), '.').help).toBe('A folder. Default: the working folder.')
  })

  it('are a machine, an address in any form, and a bank', async () => {
    for (const address of ['$0400', '0x400', '1024']) {
      expect(await read(`--machine vice:localhost --address ${address} --length 1000 --bank cpu --json`)).toMatchObject(
        {
          machine: 'vice:6502',
          address: { known: { start: 0x0400 } },
          length: 1000,
          bank: 'cpu',
        },
      )
    }
  })

  it.each([
    'read --address 0427',
    'write --address 0427 --bytes 00',
    'checkpoint add 0427-0430',
    'register set PC 0427',
    'task run read --address 0427',
    'task start sample --ranges $0400-$0410,0427',
    'task run read --args {} --address 0427',
  ])('refuse an address that could be hexadecimal or decimal, with both readings: %s', async (line) => {
    const refusal = await call(line).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(UsageError)
    expect(refusal).toHaveProperty('message', expect.stringMatching(/\$0427.*427.*\$01AB/))
  })

  it('have defaults: the built-in C64 and its RAM', async () => {
    expect(await read('--address VIC.BORDER')).toMatchObject({
      machine: 'builtin',
      bank: 'ram',
      address: { text: 'VIC.BORDER', known: null },
      rate: 2,
      set: [],
      yes: false,
    })
  })

  it('are times from the start of a recording or from the calendar', async () => {
    expect(await read('--address 0 --at +12.5 --from 2026-11-21T12:00:00Z')).toMatchObject({
      at: { sinceStart: 12_500 },
      from: { at: Date.UTC(2026, 10, 21, 12) },
    })
    expect(timeIn({ sinceStart: 12_500 }, 1_000)).toBe(13_500)
    expect(timeIn({ at: 5 }, 1_000)).toBe(5)
    await expect(read('--address 0 --at yesterday')).rejects.toThrow(/not “yesterday”/)
  })

  it('may be given several times only where that means something; otherwise the last one counts', async () => {
    expect(await read('--address 1 --address 2 --set a --set b=c --yes')).toMatchObject({
      address: { text: '2' },
      set: ['a', 'b=c'],
      yes: true,
    })
  })
})

describe('the command line', () => {
  it.each([
    ['read --help', true, false, 'read'],
    ['--help read', true, false, 'read'],
    ['ncrew -h', true, false, 'ncrew'],
    ['--json -h task --version run', true, true, 'task run'],
    ['--version --json', false, true, ''],
    ['read --address 1', false, false, 'read --address 1'],
    ['type -- --help', false, false, 'type -- --help'],
    ['type --help -- --version', true, false, 'type -- --version'],
  ])('of %s asks for help: %s, for the version: %s', (line, help, version, words) => {
    expect(readAsked(line.split(' '))).toEqual({ help, version, words: words === '' ? [] : words.split(' ') })
  })

  it.each([
    ['machine read', 'read', 'read the memory of a machine without its noun'],
    ['machine list', 'machines', 'list the machines'],
    ['machine list', 'machine --json', 'do what the noun alone does'],
    ['checkpoint list', 'checkpoints', 'list checkpoints'],
    ['register show', 'registers --machine vice:6502', 'show the registers'],
    ['drive set', 'drives set a', 'take the plural'],
    ['agent delete', 'agents remove claude', 'take the older verb'],
    ['recording show', 'recording info 0001_recording', 'take the older verb'],
    ['version', '--version', 'print the version'],
  ])('%s is also %s', (name, line) => {
    const { command } = findTarget(line.split(' '), commands)
    expect(command && fullName(command)).toBe(name)
  })

  it.each([
    ['peek', /no command/],
    ['toString', /no command/],
    ['raed', /Did you mean read\?/],
    ['taks', /Did you mean task\?/],
    ['files uplaod', /There is no command “file uplaod”\. Did you mean upload\?/],
    ['--json machines', /Options stand behind the command/],
    ['read --address 1 --bank rma', /Did you mean ram\?/],
    ['inspect', /Did you mean project inspect\?/],
    ['read --adress 1', /no option --adress\. Did you mean --address\?/],
    ['read -a 1', /no option -a/],
    ['read --toString 1', /no option --toString/],
    ['read', /--address is missing/],
    ['read --address', /--address needs a value/],
    ['read --address --json', /--address needs a value; write --address=--json/],
    ['read --address 1 --json=yes', /--json takes no value/],
    ['read --address $10000', /past the end/],
    ['read --address 1 --bank cart', /--bank is one of/],
    ['read --address 1 --bank colorRam', /--bank is one of/],
    ['read --address 1 --length 0', /--length is a whole number/],
    ['read --address 1 --length 1.5', /--length is a whole number/],
    ['read --address $FFFF --length 2', /--length is a whole number from 1 to 1, not “2”/],
    ['read --address 1 --machine amiga', /not a machine name/],
    ['write --address 1', /--bytes is missing/],
    ['write --address $FFFF --bytes 0102', /past \$FFFF/],
    ['watch --address 1 --rate x', /--rate is a number from 0\.1 to 60, not “x”/],
    ['run', /FILE is missing/],
    ['run a.prg b.prg', /does not take “b\.prg”/],
    ['recording', /needs a command: list, show, query, export/],
    ['recording erase', /no command “recording erase”/],
    ['recording qeury', /Did you mean query\?/],
    ['recording query one', /QUERY is missing/],
    ['recording query one why', /one of image, changes, values, first, difference, not “why”/],
    ['recording list one', /does not take “one”/],
    ['recording export one file', /--format is missing/],
    ['task run read --colour 1', /no option --colour/],
    ['task run read --address 0 --args 1', /--args must be a JSON object/],
    ['task list --status gone', /--status is one of/],
    ['metashell run . --max-cost much', /an amount in USD/],
    ['metashell rollback .', /--task is missing/],
    ['ncrew', /needs a command/],
    ['ncrew statsu', /Did you mean status\?/],
    ['maestro read-state', /missing/],
    ['maestro read-state file --json', /no option --json/],
  ])('“%s” is a usage error that says what is wrong', async (line, message) => {
    const failed: unknown = await call(line).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(AppError)
    expect(failed).toMatchObject({ message: expect.stringMatching(message) as string, details: { usage: true } })
  })

  it('a dashed value can be given with =, and behind -- everything is a positional', () => {
    const { command } = findTarget(['task', 'run'], commands)
    if (!command) throw new Error('there is no task run')
    expect(readArguments(command, ['--name=-x', '--', '--read'])).toEqual({
      positionals: ['--read'],
      options: new Map([['name', ['-x']]]),
    })
  })

  it('says which help shows more', () => {
    const hint = (line: string) =>
      unknownCommand(line.split(' '), findTarget(line.split(' '), commands).group, commands).hint
    expect(hint('peek')).toBe('See bridgedeck --help.')
    expect(hint('task erase')).toBe('See bridgedeck task --help.')
  })
})
