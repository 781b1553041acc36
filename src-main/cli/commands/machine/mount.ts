import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { mountOptions } from '../../mountOptions'
import { filePath, required } from '../../parameters'
import { machineGroup as group } from './group'

export const machineMount = defineCommand({
  group,
  name: 'mount',
  summary: 'Mount a disk image in a drive.',
  positionals: { file: required(filePath('The disk image.')) },
  options: mountOptions,
  data: {
    machine: 'the machine’s name',
    drive: 'such as a',
    path: 'absolute path',
    mode: 'readwrite, readonly or unlinked',
    image: 'what the drive holds now, as the machine says, or null',
    enabled: 'whether the drive is on',
  },
  examples: ['mount game.d64 --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { file, drive, mode, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    await session.client.call('machine.mountImage', { machine, drive, path: file.path, mode }, signal)
    const { drives } = await session.client.call('machine.drives', { machine }, signal)
    const { enabled = false, image = null } = drives.find((known) => known.drive === drive) ?? {}
    const off = enabled ? '' : ' The drive is off.'
    output.result(
      { machine, drive, path: file.path, mode, image, enabled },
      `Mounted ${file.written} in drive ${drive} of ${machine}${image === null ? ', which does not show it' : ''}.${off}`,
    )
    return EXIT_OK
  },
})
