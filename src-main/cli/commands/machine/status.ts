import type { MachineState } from '@shared/contract/machine'
import { describeLeft } from '@shared/leftBehindText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { stateOf } from '../../graphicsMemory'
import { machine } from '../../parameters'
import { table, toned } from '../../printed'
import { connectionTones } from '../../stateTones'
import { machineGroup as group } from './group'

export const machineStatus = defineCommand({
  group,
  name: 'status',
  summary: 'Connect a machine, and show its state and what it cannot do.',
  options: { machine: machine('The machine.') },
  data: {
    machine: 'the machine’s name',
    title: 'text',
    version: 'text or null',
    connection: 'live, or why not',
    execution: 'running, paused, jammed or unknown',
    standard: 'pal, ntsc or null',
    speed: '1 is the speed of a C64; null where it is unknown',
    warp: 'true or false',
    program: 'the name of what was last run, or null',
    streams: 'those that run',
    notices: 'texts',
    left: '[{ name, time, paused, warp, slow, checkpoints, frozen, keys, joysticks }]: what agents that have gone left set',
    cannot: 'why, by each capability that it lacks',
  },
  examples: ['status', 'status --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const state = await stateOf(session, machine, signal)
    const { title, version, connection, execution, standard, speed, warp } = state
    const { left: all } = await session.client.call('steering.state', {}, signal)
    const left = all.filter((one) => one.machine === machine)
    const cannot = Object.entries(state.capabilities).flatMap(([name, why]) =>
      why === null ? [] : [[name, why] as const],
    )
    output.result(
      {
        machine,
        title,
        version,
        connection,
        execution,
        standard,
        speed,
        warp,
        program: state.program?.name ?? null,
        streams: state.streams.map(({ stream }) => stream),
        notices: state.notices,
        left: left.map(({ machine: _, colour: __, ...one }) => one),
        cannot: Object.fromEntries(cannot),
      },
      [
        table([
          ['machine', `${machine}, ${version ?? title}`],
          ['connection', toned(connectionTones[connection], [connection, state.reason].filter(Boolean).join(': '))],
          ['CPU', [execution, ...speedOf(state)].join(', ')],
          ['standard', standard?.toUpperCase() ?? 'unknown'],
          ['program', state.program?.name ?? 'none'],
          ['cannot', cannot.map(([name]) => name).join(', ')],
        ]),
        ...left.map((one) => `${describeLeft(one)} “clear-left” takes it back.`),
        ...state.notices,
      ],
    )
    return EXIT_OK
  },
})

const speedOf = ({ speed, warp }: MachineState): string[] => [
  ...(warp ? ['in warp'] : []),
  ...(speed === null ? [] : [`${Math.round(speed * 100)} % of the speed of a C64`]),
]
