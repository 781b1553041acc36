/** Help and version in front of, behind, within and without a command, and the hint of every usage error, typed as it stands. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fullName, type Command } from '../../src-main/cli/command'
import { optionsOf } from '../../src-main/cli/commandLine'
import { commands } from '../../src-main/cli/commands'
import { CommandLine } from '../support/commandLine'
import { shellWords } from '../support/shellWords'

let calls: CommandLine
beforeAll(() => {
  calls = new CommandLine()
})
afterAll(() => calls.remove())

const every = commands.map((command): [string, Command] => [fullName(command), command])

/** Each way to put a word into the name of a command. */
const withWord = (name: string, word: string): string[][] => {
  const words = name.split(' ')
  return Array.from({ length: words.length + 1 }, (_, at) => words.toSpliced(at, 0, word))
}

describe.each(every)('%s', (name, command) => {
  it('explains itself wherever --help or -h stands', async () => {
    const { code, stdout } = await calls.run(...name.split(' '), '--help')
    expect([code, stdout]).toEqual([0, expect.stringContaining(`bridgedeck ${name}`)])
    for (const words of [...withWord(name, '--help'), ...withWord(name, '-h'), ['help', ...name.split(' ')]])
      expect([words, await calls.run(...words)]).toEqual([words, { code: 0, stdout, stderr: '' }])
  })

  it('gives way to --version wherever that stands', async () => {
    const { code, stdout } = await calls.run('version')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Bridgedeck \d/)])
    for (const words of withWord(name, '--version'))
      expect([words, await calls.run(...words)]).toEqual([words, { code: 0, stdout, stderr: '' }])
  })

  it('keeps the names of these options free', () => {
    const taken = Object.keys(optionsOf(command, '')).filter((option) => ['help', 'h', 'version'].includes(option))
    expect(taken).toEqual([])
  })

  it('names a hint that works in each usage error', async () => {
    for (const words of wrongUses(command)) await requireHint([...name.split(' '), ...words], calls)
  })
})

/** What is refused before the command begins: options that it lacks, options without or with wrong values, one word too many. */
function wrongUses(command: Command): string[][] {
  const options = Object.entries(optionsOf(command, ''))
  const taken = Object.values(command.positionals)
  return [
    ['--no-such-option'],
    ['-x'],
    ...options.map(([option, { placeholder }]) => [placeholder === null ? `--${option}=x` : `--${option}`]),
    ...options.filter(([, { bounds }]) => bounds).map(([option]) => [`--${option}=much`]),
    ...(taken.at(-1)?.isRepeated ? [] : [[...taken, ''].map(() => 'word')]),
  ]
}

/** @returns what the hint named */
async function requireHint(words: readonly string[], { run }: Pick<CommandLine, 'run'>): Promise<string> {
  const call = run.bind(calls)
  const { code, stdout, stderr } = await call(...words)
  const [, typed = ''] = /\bSee bridgedeck (.*--help)\./.exec(stderr) ?? []
  expect([words, stdout, typed]).toEqual([words, '', expect.stringMatching(/^([a-z-]+ )*--help$/)])
  expect([words, code]).toEqual([words, /^(ncrew|maestro)/.test(words.join(' ')) ? 1 : 2])
  const { code: end, stdout: help, stderr: complaint } = await call(...shellWords(typed))
  expect([words, typed, end, complaint]).toEqual([words, typed, 0, ''])
  expect(help).not.toBe('')
  return typed
}

describe('the command line', () => {
  it('explains itself without a command, whatever else stands there', async () => {
    const { stdout } = await calls.run()
    expect(stdout).toContain('bridgedeck NOUN VERB')
    for (const words of [['--help'], ['-h'], ['help'], ['--json', '--help'], ['--help', '--json'], ['-h', '--version']])
      expect([words, await calls.run(...words)]).toEqual([words, { code: 0, stdout, stderr: '' }])
  })

  it('prints its version without a command, as JSON where that is asked for', async () => {
    expect((await calls.run('--version')).stdout).toMatch(/^Bridgedeck \d/)
    for (const words of [
      ['--version', '--json'],
      ['--json', '--version'],
      ['read', '--json', '--version'],
    ]) {
      const { code, stdout } = await calls.run(...words)
      expect([words, code, JSON.parse(stdout)]).toEqual([
        words,
        0,
        { schema: 'bridgedeck.version/1', ok: true, data: { version: expect.any(String) as string } },
      ])
    }
  })

  it('explains a noun wherever --help stands', async () => {
    const { stdout } = await calls.run('task', '--help')
    expect(stdout).toContain('bridgedeck task COMMAND')
    for (const words of [
      ['--help', 'task'],
      ['-h', 'task'],
      ['help', 'task'],
    ])
      expect([words, await calls.run(...words)]).toEqual([words, { code: 0, stdout, stderr: '' }])
  })

  it('takes what stands behind -- for an argument', async () => {
    expect((await calls.run('help', '--', '--help')).stderr).toMatch(/no command “--help”|--help/)
    expect((await calls.run('help', '--', '--version')).stdout).not.toMatch(/^Bridgedeck \d/)
  })

  it.each([
    [['peek'], '--help'],
    [['peek', '--help'], '--help'],
    [['--help', 'peek'], '--help'],
    [['peek', '--version'], '--help'],
    [['--json'], '--help'],
    [['--machine', 'vice:6502', 'read'], '--help'],
    [['--machine', 'vice:6502', 'read', '--help'], '--help'],
    [['task', 'erase'], 'task --help'],
    [['recording'], 'recording --help'],
    [['ncrew', 'statsu'], 'ncrew --help'],
    [['maestro', 'write'], 'maestro --help'],
    [['help', 'peek'], '--help'],
    [['help', 'task', 'erase'], 'task --help'],
    [['setting', 'set', 'agents', 'x'], 'agent add --help'],
    [['setting', 'set', 'nothing', 'x'], 'setting get --help'],
    [['project', 'diff', '.'], 'project diff --help'],
    [['maestro', 'hooks', 'print', '--user', '--file', 'x'], 'maestro hooks --help'],
    [['maestro', 'dispatch', '.'], 'maestro dispatch --help'],
  ])('names a hint that works: %j', async (words, hint) => {
    expect(await requireHint(words, calls)).toBe(hint)
  })
})
