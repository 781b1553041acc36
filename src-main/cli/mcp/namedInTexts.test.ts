/** What tools, prompts and hints name for an agent to call is there. */
import { expect, it } from 'vitest'
import { readMachineName } from '@shared/contract/machineName'
import { prompts } from './prompts'
import { references } from './references'
import { NOTES_URI } from './resources'
import { instructions } from './server'
import { tools } from './tools'
import { describeTool } from './toolSchema'

const descriptions = tools.map((tool) => describeTool(tool).description)
const nextSteps = tools.flatMap(({ operations }) =>
  Object.values(operations).flatMap(({ next }) =>
    [{}, { state: 'on' }, { action: 'approve' }].map((given) => next?.(given) ?? ''),
  ),
)
const texts = [instructions, ...prompts.flatMap(({ steps }) => steps), ...descriptions, ...nextSteps]

/** Behind the name of a tool that is meant as the word it is: “the machine into a file”. */
const plainWords = new Set(
  'after against and at before can file finds in into of over shows them under where'.split(' '),
)

it.each(tools.map(({ name, operations }) => [name, Object.keys(operations)] as const))(
  'each “%s …” in a text is an operation of that tool',
  (name, operations) => {
    const named = texts.flatMap((text) => [...text.matchAll(new RegExp(`(?<![\\w-])${name} ([a-z_]+)`, 'g'))])
    const unknown = named.filter(([, word = '']) => !operations.includes(word) && !plainWords.has(word))
    expect(unknown.map(([written]) => written)).toEqual([])
  },
)

it('Each resource that a text names can be read', () => {
  const named = texts.flatMap((text) => text.match(/bridgedeck:\/\/[\w/-]+/g) ?? [])
  expect(named.length).toBeGreaterThan(0)
  for (const uri of named) expect([NOTES_URI, ...references.map((reference) => reference.uri)]).toContain(uri)
})

it('Each name of a machine in the description of its tool is one', () => {
  const samples: Readonly<Record<string, string>> = {
    HOST: 'c64.local',
    PORT: '6502',
    DEVICE: '/dev/ttyUSB0',
    BAUD: '38400',
  }
  const about = tools.find(({ name }) => name === 'machine')?.about ?? ''
  const named = about.match(/\b[a-z]+(?::[A-Z]+(?:[:@][A-Z]+)?)/g) ?? []
  expect(named.length).toBeGreaterThan(5)
  for (const form of named) {
    const name = form.replaceAll(/[A-Z]+/g, (word) => samples[word] ?? word)
    expect([form, readMachineName(name)]).not.toEqual([form, undefined])
  }
})
