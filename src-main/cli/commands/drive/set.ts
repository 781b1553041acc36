import { driveModes } from '@shared/contract/machineStorage'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, flag, machine } from '../../parameters'
import { UsageError } from '../../usageError'
import { driveName, driveGroup as group } from './group'

export const driveSet = defineCommand({
  group,
  name: 'set',
  summary: 'Switch a drive on or off, change its model, or reset it.',
  positionals: { drive: driveName },
  options: {
    power: choice('STATE', 'Switch it.', ['on', 'off'] as const),
    model: choice('MODEL', 'The model it emulates.', driveModes),
    reset: flag('Reset it.'),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', drive: '{ drive, role, enabled, busId, type, image }' },
  examples: ['drive set a --model 1581 --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { drive, power, model, reset, machine }) => {
    if (power === undefined && model === undefined && !reset)
      throw new UsageError('drive set needs --power, --model or --reset.', 'drive set')
    const session = await openSession()
    await session.connect(machine, signal)
    const { client } = session
    const one = { machine, drive }
    if (power !== undefined) await client.call('machine.setDriveEnabled', { ...one, enabled: power === 'on' }, signal)
    if (model !== undefined) await client.call('machine.setDriveMode', { ...one, mode: model }, signal)
    if (reset) await client.call('machine.resetDrive', one, signal)
    const { drives } = await client.call('machine.drives', { machine }, signal)
    output.result({ machine, drive: drives.find((known) => known.drive === drive) ?? null }, `Changed drive ${drive}.`)
    return EXIT_OK
  },
})
