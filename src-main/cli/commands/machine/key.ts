import { c64Keys, isC64Key, type C64Key } from '@shared/c64/keyboardMatrix'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { stateOf } from '../../graphicsMemory'
import { holdFor, holdOptions, holdTime, requireNoTime } from '../../holdTime'
import { machine, texts } from '../../parameters'
import { didYouMean } from '../../nearestName'
import { UsageError } from '../../usageError'
import { machineGroup as group } from './group'

const NONE = 'none'

export const machineKey = defineCommand({
  group,
  name: 'key',
  summary: 'Press and release keys of a machine.',
  details:
    'For programs that read the keyboard themselves, and for keys that are no text. Several names are pressed at once: left_shift a. With --keep they stay pressed, for a machine that is paused or stepped; “key none” lets them go.',
  positionals: { keys: texts('KEY', 'The keys, such as space, return, f1, run_stop, cursor_up_down.') },
  options: { ...holdOptions, machine: machine('The machine.') },
  data: { machine: 'the machine’s name', keys: 'their names', held: 'ms, or null for kept' },
  examples: ['key space', 'key left_shift a --hold 500', 'key f1 --frames 10'],
  run: async ({ output, signal, openSession }, { keys: names, hold, frames, keep, machine }) => {
    const isRelease = names.length === 1 && names[0]?.toLowerCase() === NONE
    const keys = isRelease ? [] : keysOf(names)
    if (keep) requireNoTime([hold, frames])
    const session = await openSession()
    await session.connectLasting(machine, signal)
    if (keep || isRelease) {
      await session.client.call('machine.setKeys', { machine, keys }, signal)
      const said = isRelease ? 'No key is held.' : `${keys.join(' and ')} stays pressed.`
      output.result({ machine, keys, held: null }, said)
      return EXIT_OK
    }
    const held = holdTime({ hold, frames }, (await stateOf(session, machine, signal)).standard ?? 'pal')
    const press = (isHeld: boolean, signal: AbortSignal) =>
      session.client.call('machine.setKeys', { machine, keys: isHeld ? keys : [] }, signal)
    await holdFor(held, press, signal)
    output.result({ machine, keys, held }, `Pressed ${keys.join(' and ')} for ${held} ms.`)
    return EXIT_OK
  },
})

/** @throws UsageError for none, and for a name that no key has */
function keysOf(names: readonly string[]): C64Key[] {
  if (names.length === 0) throw new UsageError('KEY is missing, such as space or return.', 'key')
  return names.map((name) => {
    const key = name.toLowerCase()
    if (isC64Key(key)) return key
    throw new UsageError(`“${name.slice(0, 40)}” is no key of the C64.${didYouMean(key, c64Keys)}`, 'key')
  })
}
