import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, number, required, text } from '../../parameters'
import { fileGroup as group } from './group'

export const fileRun = defineCommand({
  group,
  name: 'run',
  summary: 'Run or play a file of a machine’s own storage.',
  positionals: { path: required(text('PATH', 'The file, by the machine’s own path.')) },
  options: {
    song: number('N', 'Which song of a SID file to play, from 1 (Ultimate).', { min: 1, max: 256 }),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', path: 'on the machine', 'song?': 'number' },
  examples: ['file run /Usb0/tune.sid --song 2 --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { path, song, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const input = { machine, path, ...(song === undefined ? {} : { song }) }
    await session.client.call('machine.runFile', input, signal)
    output.result(input, `${path} runs on ${machine}.`)
    return EXIT_OK
  },
})
