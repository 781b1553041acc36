import { streamKinds } from '@shared/contract/machine'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, machine, required } from '../../parameters'
import { machineGroup as group } from './group'

export const machineStream = defineCommand({
  group,
  name: 'stream',
  summary: 'Start or stop a stream of an Ultimate 64: its picture, its sound, or its bus.',
  details: 'The streams come to Bridgedeck, whose window shows and plays them.',
  positionals: {
    stream: required(choice('STREAM', 'The stream.', streamKinds)),
    state: required(choice('STATE', 'Start or stop it.', ['on', 'off'] as const)),
  },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', stream: 'video, audio or debug', on: 'true or false' },
  examples: ['stream audio on --machine ultimate:192.168.1.64', 'stream audio off --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { stream, state, machine }) => {
    const session = await openSession()
    session.requireLastingConnection(machine)
    await session.connect(machine, signal)
    const on = state === 'on'
    await session.client.call('machine.setStream', { machine, stream, on }, signal)
    output.result({ machine, stream, on }, `The ${stream} stream of ${machine} is ${state}.`)
    return EXIT_OK
  },
})
