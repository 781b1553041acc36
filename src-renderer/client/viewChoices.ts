import { paletteTitles } from '@shared/c64/palettes'
import { graphicsChoices } from './graphicsChoices'
import type { ViewChoice } from './viewChoice'

export const viewChoices = {
  'memory.space': {
    view: 'memory',
    title: 'Memory',
    label: 'Memory',
    options: { cpu: 'CPU', ram: 'RAM', rom: 'ROM', io: 'I/O' },
    tips: {
      cpu: 'What the CPU sees now, by $01',
      ram: 'All 64 KiB of RAM, also under ROM and I/O',
      rom: 'BASIC, character and KERNAL ROM',
      io: 'The chips at $D000 to $DFFF',
    },
  },
  'memory.follow': {
    view: 'memory',
    title: 'Memory follows',
    label: 'Follow',
    options: { nothing: 'nothing', pc: 'the PC', change: 'changes' },
  },
  'memory.heat': {
    view: 'memory',
    title: 'Memory heat',
    label: 'Heat',
    options: { changes: 'changes', accesses: 'accesses', reads: 'reads', writes: 'writes', runs: 'runs' },
    tips: {
      changes: 'Bytes whose value changed',
      accesses: 'What the CPU did last with each byte: wrote it, read it, or ran it',
      runs: 'Instructions that the CPU ran, with their operands',
    },
  },
  'memory.text': {
    view: 'memory',
    title: 'Memory text column',
    label: 'Text',
    options: { auto: 'auto', petscii: 'PETSCII', screen: 'screen' },
  },
  'memory.searchPart': {
    view: 'memory',
    title: 'Memory search',
    label: 'How to search',
    options: { find: 'Find', value: 'Value', labels: 'Labels', notes: 'Notes', compare: 'Compare', layout: 'Layout' },
    tips: {
      find: 'Bytes, text, words, pointers, instructions',
      value: 'Where a running program keeps a value, found by how it changes',
      labels: 'The names of the program, and the files they come from',
      notes: 'What you and agents found out about the program, in a file of its project',
      compare: 'Snapshots of memory, and where they differ from each other or from a machine',
      layout: 'What lies where now: BASIC, screen, characters, sprites, ROM',
    },
  },
  'memory.valueSize': {
    view: 'memory',
    title: 'Size of the value searched for',
    label: 'Size of the value',
    options: { byte: 'a byte', word: 'a word' },
    within: { 'memory.searchPart': 'value' },
  },
  'memory.searchFor': {
    view: 'memory',
    title: 'Memory search for',
    label: 'What to search for',
    options: {
      bytes: 'bytes',
      text: 'text',
      petscii: 'PETSCII text',
      screen: 'screen codes',
      ascii: 'ASCII text',
      word: 'a word',
      pointer: 'pointers to',
      instruction: 'instructions',
    },
    within: { 'memory.searchPart': 'find' },
  },
  'code.shown': {
    view: 'code',
    title: 'Code as',
    label: 'Code as',
    options: { source: 'Source', disassembly: 'Disassembly' },
  },
  'registers.slowMotion': {
    view: 'registers',
    title: 'Slow motion',
    label: 'Speed of slow motion',
    options: {
      instructions4: '4 instructions a second',
      instructions20: '20 instructions a second',
      instructions100: '100 instructions a second',
      lines10: '10 raster lines a second',
      lines50: '50 raster lines a second',
      lines250: '250 raster lines a second',
    },
  },
  'registers.bugReport': {
    view: 'registers',
    title: 'What a bug report tells',
    label: 'How much a bug report tells',
    options: { s30: 'the last 30 s', s60: 'the last minute', s300: 'the last 5 minutes', s600: 'the last 10 minutes' },
  },
  'screen.palette': {
    view: 'screen',
    title: 'C64 palette',
    label: 'Palette',
    options: { ...paletteTitles, machine: 'The machine’s', loaded: 'From a file' },
  },
  'screen.aspect': {
    view: 'screen',
    title: 'C64 pixels',
    label: 'Shape of pixels',
    options: { square: 'Square', machine: 'As on a television' },
    tips: {
      square: 'As wide as high',
      machine: 'Narrower than high, by the video standard of the machine: PAL 0.94, NTSC 0.75',
    },
  },
  ...graphicsChoices,
  'device.mountMode': {
    view: 'device',
    title: 'Insert images as',
    label: 'Insert images as',
    options: { readwrite: 'Writable', readonly: 'Write-protected', unlinked: 'Writable, changes not kept' },
  },
  'tasks.filter': {
    view: 'tasks',
    title: 'Tasks',
    label: 'Which tasks',
    options: { all: 'All', running: 'Running', ended: 'Ended', failed: 'Failed' },
  },
  'tasks.valuesAs': {
    view: 'tasks',
    title: 'Values of tasks',
    label: 'Values as',
    options: { hex: 'Hex', decimal: 'Decimal', bits: 'Bits' },
  },
  'agents.filter': {
    view: 'agents',
    title: 'Agent runs',
    label: 'Which runs',
    options: { all: 'All', live: 'Running', ended: 'Ended', failed: 'Failed' },
  },
  'projects.part': {
    view: 'projects',
    title: 'Run',
    label: 'Part of the run',
    options: { overview: 'Overview', plan: 'Plan', activity: 'Activity', files: 'Files' },
  },
  'projects.plan': {
    view: 'projects',
    title: 'Plan',
    label: 'The plan as',
    options: { list: 'List', graph: 'Graph', board: 'Board', timeline: 'Timeline' },
    tips: {
      list: 'The plan as a list',
      graph: 'The plan as a graph',
      board: 'The plan as a board',
      timeline: 'The plan as a timeline',
    },
    within: { 'projects.part': 'plan' },
  },
  'projects.boardBy': {
    view: 'projects',
    title: 'Board columns',
    label: 'Columns',
    options: { state: 'By state', phase: 'By phase' },
    within: { 'projects.part': 'plan', 'projects.plan': 'board' },
  },
} as const satisfies Readonly<Record<string, ViewChoice>>

type Table = typeof viewChoices
export type ViewChoiceKey = keyof Table
export type ChosenOf<Key extends ViewChoiceKey> = keyof Table[Key]['options'] & string

const isKey = (name: string): name is ViewChoiceKey => Object.hasOwn(viewChoices, name)
export const viewChoiceKeys = Object.keys(viewChoices).filter(isKey)

export const viewChoice = (key: ViewChoiceKey): ViewChoice => viewChoices[key]

export function valuesOf<Key extends ViewChoiceKey>(key: Key): ChosenOf<Key>[] {
  const { options } = viewChoice(key)
  const isValue = (value: string): value is ChosenOf<Key> => Object.hasOwn(options, value)
  return Object.keys(options).filter(isValue)
}
