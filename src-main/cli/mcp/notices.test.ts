import { expect, it } from 'vitest'
import { noticesFor, type Steered } from './notices'

const state = (paused: boolean, takenOver: readonly string[] = []): Steered => ({
  agents: [
    {
      agent: 7,
      name: 'test',
      colour: 0,
      since: 0,
      machine: null,
      doing: null,
      calls: 0,
      paused,
      granted: [],
      refused: [],
    },
  ],
  leases: takenOver.map((machine) => ({ machine, agent: null, name: '', colour: null, until: null })),
})

it.each([
  ['is paused', state(false), state(true), ['The person has paused you.']],
  ['is resumed', state(true), state(false), ['The person lets you go on.']],
  [
    'loses a machine to the person',
    state(false),
    state(false, ['builtin']),
    ['The person took builtin over: look, but do not change it.'],
  ],
  ['gets it back', state(false, ['builtin']), state(false), ['The person handed builtin back.']],
  ['sees nothing that is new', state(true, ['builtin']), state(true, ['builtin']), []],
])('An agent that %s is told so', (_, before, now, told) => {
  expect(noticesFor(7, before, now).map(({ text }) => text)).toEqual(told)
})
