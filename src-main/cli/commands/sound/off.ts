import { CONTROL, voiceStart } from '@shared/c64/sidNote'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, number } from '../../parameters'
import { soundGroup as group, voices, VOLUME } from './group'

export const soundOff = defineCommand({
  group,
  name: 'off',
  summary: 'Silence one voice of the SID, or all voices and the volume.',
  positionals: { voice: number('VOICE', 'The voice; without it, all.', { min: 1, max: 3 }) },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', voices: 'those that are silent' },
  examples: ['sound off', 'sound off 2'],
  run: async ({ output, signal, openSession }, { voice, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const silent = voices.filter((each) => voice === undefined || each === voice)
    const registers = [...silent.map((each) => voiceStart(each) + CONTROL), ...(voice === undefined ? [VOLUME] : [])]
    for (const address of registers)
      await session.client.call('memory.write', { machine, space: 'io', address, bytes: Uint8Array.of(0) }, signal)
    output.result({ machine, voices: silent }, voice === undefined ? 'The SID is silent.' : `Voice ${voice} is silent.`)
    return EXIT_OK
  },
})
