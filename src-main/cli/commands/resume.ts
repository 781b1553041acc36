import { defineCommand } from '../command'
import { EXIT_OK } from '../output'
import { machine } from '../parameters'

export const resume = defineCommand({
  name: 'resume',
  summary: 'Let a paused machine run.',
  options: { machine: machine('The machine to resume.') },
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    await session.client.call('machine.resume', { machine }, signal)
    output.result({ machine, execution: 'running' }, `${machine} is running.`)
    return EXIT_OK
  },
})
