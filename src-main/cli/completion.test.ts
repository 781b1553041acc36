import { describe, expect, it } from 'vitest'
import { complete } from './completion'
import { commands } from './commands'

/** The words that can stand where the line ends, and what the shell adds. */
const after = (line: string) => {
  const words = line.split(' ')
  const typed = words.pop() ?? ''
  const { suggestions, also } = complete(words, typed, commands)
  return { words: suggestions.map(({ word }) => word), also }
}

describe('the completion', () => {
  it('of the first word has nouns, and verbs that need none', () => {
    expect(after('').words).toEqual(expect.arrayContaining(['machine', 'task', 'read', 'help', 'completion']))
    expect(after('re').words).toEqual([
      'register',
      'recording',
      'read',
      'resume',
      'reset',
      'reboot',
      'replay',
      'resource',
      'report',
    ])
    expect(after('show').words).toEqual([])
  })

  it.each([
    ['a verb behind its noun', 'recording ', ['list', 'show', 'query', 'export', 'marks', 'mark', 'unmark']],
    ['a verb behind a noun in the plural', 'drives s', ['set']],
    ['a verb of what may be left out', 'machine un', ['unmount']],
    ['an option', 'read --ad', ['--address']],
    ['an option that was not given yet', 'reset --kind soft --', ['--machine', '--json']],
    ['the value of an option', 'read --bank ', ['cpu', 'ram', 'rom', 'io', 'drive8', 'drive9', 'drive10', 'drive11']],
    ['a value behind =', 'reset --kind=p', ['--kind=power']],
    ['an argument that is one of a few', 'recording query 0001_recording --limit 5 d', ['difference']],
    ['an argument behind options', 'bridge open-anyway ', ['project', 'recording', 'machine']],
    ['an operation', 'task run extract_sp', ['extract_sprites_from_ram']],
    ['an argument of an operation', 'task run read --addr', ['--address']],
    ['a topic of the help', 'help exit', ['exit-codes']],
    ['a noun as a topic', 'help rec', ['recording']],
    ['a verb as a topic', 'help task re', ['repair', 'resume']],
    ['nothing for a free value', 'task run read --name ', []],
    ['nothing for what is hidden', 'completion w', []],
    ['nothing behind a wrong command', 'peek ', []],
  ])('has %s', (_, line, words) => {
    const found = after(line)
    expect([...found.words].sort()).toEqual([...words].sort())
    expect(found.also).toBeUndefined()
  })

  it.each([
    ['read --machine ', 'machine'],
    ['connection test ', 'machine'],
    ['run ', 'file'],
    ['run game.prg --png ', 'file'],
    ['project inspect ', 'folder'],
  ] as const)('of “%s” asks for a %s', (line, also) => {
    expect(after(line)).toEqual({ words: [], also })
  })

  it('explains what it offers', () => {
    expect(complete(['task'], 'list', commands).suggestions).toEqual([{ word: 'list', help: 'List the tasks.' }])
  })
})
