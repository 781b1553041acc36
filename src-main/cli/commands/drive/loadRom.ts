import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine, required } from '../../parameters'
import { driveName, driveGroup as group } from './group'

export const driveLoadRom = defineCommand({
  group,
  name: 'load-rom',
  summary: 'Load a ROM file into a drive of an Ultimate.',
  details: 'It stays until the machine reboots.',
  positionals: { drive: driveName, file: required(filePath('The ROM: 16 or 32 KiB.')) },
  options: { machine: machine('The machine.') },
  data: { machine: 'the machine’s name', drive: 'such as a', path: 'absolute path' },
  examples: ['drive load-rom a jiffydos.rom --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { drive, file, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    await session.client.call('machine.loadDriveRom', { machine, drive, path: file.path }, signal)
    output.result({ machine, drive, path: file.path }, `Drive ${drive} of ${machine} has the ROM ${file.written}.`)
    return EXIT_OK
  },
})
