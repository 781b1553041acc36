import { expect, it } from 'vitest'
import { commandTable, type CommandName } from '@shared/contract/contract'
import { neededRights, takesMachine } from './neededRight'

const running = { isKnown: true, isRunning: true }
const paused = { isKnown: true, isRunning: false }
const unknown = { isKnown: false, isRunning: false }

it.each<[CommandName, string, Parameters<typeof neededRights>[1], readonly string[] | null]>([
  ['memory.read', 'any machine', paused, ['look']],
  ['memory.write', 'a known machine', paused, ['change']],
  ['memory.write', 'an unknown machine', unknown, ['connect', 'change']],
  ['running.profile', 'a running machine', running, ['look']],
  ['running.profile', 'a paused machine', paused, ['change']],
  ['machine.connect', 'a known machine', running, ['look']],
  ['machine.connect', 'an unknown machine', unknown, ['connect']],
  ['connections.search', 'no machine', undefined, ['connect']],
  ['snapshots.save', 'no machine', undefined, ['change']],
  ['machine.reboot', 'a known machine', running, ['power']],
  ['projects.write', 'no machine', undefined, ['files']],
  ['projects.setTrusted', 'no machine', undefined, null],
  ['settings.set', 'no machine', undefined, null],
])('%s on %s needs of an agent', (command, _, machine, rights) => {
  expect(neededRights(commandTable[command].effect, machine)).toEqual(rights)
})

it('An agent takes the machine for what changes it, and for what lets a paused one run', () => {
  const takes = (command: CommandName, machine: typeof running) => takesMachine(commandTable[command].effect, machine)
  expect([takes('memory.write', paused), takes('machine.loadState', paused), takes('machine.reboot', running)]).toEqual(
    [true, true, true],
  )
  expect([takes('running.profile', paused), takes('running.profile', running), takes('memory.read', paused)]).toEqual([
    true,
    false,
    false,
  ])
})
