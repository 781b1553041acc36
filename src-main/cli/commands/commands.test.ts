/** The table of commands: what each has to have, its help, and the command lines of the documentation. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fullName, type Command } from '../command'
import { findTarget, optionsOf, readArguments } from '../commandLine'
import { exitCodes, specialExitCodes } from '../exitCodes'
import { helpOf, shortName, synopsis } from '../help'
import { shellWords } from '../../../test/support/shellWords'
import { commands } from '.'

const isSentence = expect.stringMatching(/^\S.*\.$/s) as string

function requireParsed(line: string): void {
  const { command, rest } = findTarget(shellWords(line), commands)
  expect(command, line).toBeDefined()
  const words = rest.includes('<') ? rest.slice(0, rest.indexOf('<')) : rest
  if (command && !words.includes('--help')) readArguments(command, words)
}

/** The command or noun is there, and so are its options. */
function requireNamed(line: string): void {
  const { command, group, rest } = findTarget(shellWords(line), commands)
  expect([line, command ?? group]).not.toEqual([line, undefined])
  if (!command || command.moreOptions) return
  const options = rest.filter((word) => word.startsWith('--')).map((word) => word.slice('--'.length))
  expect([line, options.filter((name) => !Object.hasOwn(optionsOf(command, rest[0] ?? ''), name))]).toEqual([line, []])
}

describe.each(commands.map((command): [string, Command] => [fullName(command), command]))('%s', (name, command) => {
  it('has a summary, and help for everything that it takes', () => {
    expect(command.summary).toEqual(isSentence)
    const taken = { ...command.positionals, ...optionsOf(command, '') }
    for (const [parameter, { help }] of Object.entries(taken))
      expect([parameter, help]).toEqual([parameter, isSentence])
    expect(Object.keys(command.positionals).filter((positional) => Object.hasOwn(command.options, positional))).toEqual(
      [],
    )
  })

  it('prints its synopsis and every option in its help', () => {
    const help = helpOf(findTarget([...name.split(' '), '--help'], commands), commands)
    expect(help.replaceAll(/[ \n]+/g, ' ')).toContain(synopsis(command))
    for (const option of Object.keys(optionsOf(command, ''))) expect(help).toContain(`--${option}`)
    expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(110)
  })

  it('has examples that parse', () => {
    expect(command.examples ?? []).not.toEqual([])
    for (const example of command.examples ?? []) requireParsed(example)
  })

  it('says what the data of --json has', () => {
    const hasJson = Object.hasOwn(optionsOf(command, ''), 'json')
    expect(command.data !== undefined).toBe(hasJson)
  })
})

it('No two commands have the same name', () => {
  expect(new Set(commands.map(fullName)).size).toBe(commands.length)
})

it('The whole help names every command, the help of a group its own', () => {
  const whole = helpOf(findTarget([], commands), commands)
  for (const command of commands.filter(({ isHidden }) => !isHidden)) {
    expect(whole).toContain(`  ${shortName(command)}`)
    if (!command.group) continue
    const ofGroup = helpOf(findTarget([command.group.name], commands), commands)
    expect(ofGroup).toContain(`  ${command.name}`)
  }
})

it('Special exit codes belong to commands, and stand in the help of their group', () => {
  for (const { commands: of, meaning } of specialExitCodes) {
    const [group = '', ...verbs] = of.split(/,? /)
    for (const verb of verbs) expect(findTarget([group, verb], commands).command, of).toBeDefined()
    expect(helpOf(findTarget([group], commands), commands)).toContain(meaning)
  }
})

it('A checkout has bridgedeck as a command of its package', () => {
  const { bin } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { bin: { bridgedeck: string } }
  expect(readFileSync(resolve(bin.bridgedeck), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  if (process.platform !== 'win32') expect(statSync(resolve(bin.bridgedeck)).mode & 0o111).toBe(0o111)
})

it('The help of task run shows the arguments of the operation', () => {
  expect(helpOf(findTarget(['task', 'run', 'read'], commands), commands)).toMatch(/--retries VALUE [^]*Default 0/)
})

describe('Every command line of the documentation parses', () => {
  const pages = globSync(['README.md', 'docs/*.md']).map((page) => readFileSync(resolve(page), 'utf8'))
  const text = pages.join('\n').replaceAll(/\\\n\s*/g, '')

  const linesOf = (pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([, line = '']) => line.replaceAll('\\|', '|'))

  it.each([
    ['of a checkout', /^ {4}npm run -s cli -- (.*)$/gm, 5],
    ['in code', /^ *(?:npx )?bridgedeck (.*?)(?: {3,}.*)?$/gm, 80],
  ])('%s', (_, pattern, atLeast) => {
    expect(linesOf(pattern).length).toBeGreaterThan(atLeast)
    for (const line of linesOf(pattern)) requireParsed(line)
  })

  it('in a sentence or a table, as far as it is written out', () => {
    const lines = linesOf(/`(?:npx )?bridgedeck ([a-z][^`\n]*)`/g)
    expect(lines.length).toBeGreaterThan(80)
    for (const line of lines) requireNamed(line)
  })
})

it('Every command that a message names is there', () => {
  const texts = globSync(['src-main/**/*.ts', 'src-shared/**/*.ts', 'src-renderer/**/*.{ts,tsx}'])
    .filter((file) => !/\.test\./.test(file))
    .map((file) => readFileSync(resolve(file), 'utf8'))
  const named = texts.flatMap((text) => [
    ...text.matchAll(/“bridgedeck ([a-z][a-z -]*)/g),
    ...text.matchAll(/hint: .*?\bbridgedeck ([a-z][a-z -]*)/g),
    ...text.matchAll(/\b[Ss]ee bridgedeck ([a-z][a-z -]*)/g),
  ])
  expect(named.length).toBeGreaterThan(15)
  for (const [, line = ''] of named) {
    const { command, group } = findTarget(line.trim().split(' '), commands)
    expect([line, command ?? group]).not.toEqual([line, undefined])
  }
})

describe('The page of the command line', () => {
  const page = readFileSync(resolve('docs/command-line.md'), 'utf8')

  it('names each command in a group, in the order of the help', () => {
    const groups = [...page.matchAll(/^Commands: ((?:.+\n)+)/gm)].map(([, names = '']) => names)
    const named = groups
      .flatMap((names) => [...names.matchAll(/`(?:([a-z]+) )?([a-z|-]+)`/g)])
      .flatMap(([, noun, verbs = '']) =>
        verbs.split('|').map((verb) => (noun === undefined ? verb : `${noun} ${verb}`)),
      )
    expect(named).toEqual(commands.filter(({ isHidden }) => !isHidden).map(shortName))
  })

  const [, section = ''] = /^## Exit codes$([^]*?)^## /m.exec(page) ?? []
  const rows = section
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

  it('has a row for each exit code of all commands, with its errors', () => {
    expect(rows.filter((cells) => cells.length === 3)).toEqual(
      exitCodes.map(({ code, errors, meaning }) => [String(code), errors.join(', '), meaning]),
    )
  })

  it('has each exit code of single commands, in a row or behind their noun', () => {
    for (const { commands: of, code } of specialExitCodes) {
      const [noun = ''] = of.split(' ')
      const [, own = ''] = new RegExp(`^- \`${noun}\`:([^]*?)(?=^- |^$)`, 'm').exec(section) ?? []
      const shown = [...rows.map(([row]) => row), ...(own.match(/\d+/g) ?? [])]
      expect([of, code, shown.includes(String(code))]).toEqual([of, code, true])
    }
  })
})
