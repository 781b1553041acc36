import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, machine, required } from '../../parameters'
import { machineGroup as group } from './group'

export const machineWarp = defineCommand({
  group,
  name: 'warp',
  summary: 'Switch warp on or off: run as fast as possible, or at its own speed.',
  positionals: {
    state: required(choice('STATE', 'on: as fast as possible; off: at its own speed.', ['on', 'off'] as const)),
  },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', warp: 'true or false' },
  examples: ['warp on', 'warp off'],
  run: async ({ output, signal, openSession }, { state, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const warp = state === 'on'
    await session.client.call('machine.setWarp', { machine, warp }, signal)
    output.result({ machine, warp }, `${machine} runs ${warp ? 'as fast as it can' : 'at its own speed'}.`)
    return EXIT_OK
  },
})
