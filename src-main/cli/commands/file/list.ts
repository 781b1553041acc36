import type { MachineFile } from '@shared/contract/machineStorage'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, text, withDefault } from '../../parameters'
import { table } from '../../printed'
import { fileGroup as group } from './group'

export const fileList = defineCommand({
  group,
  name: 'list',
  summary: 'List a folder of a machine’s own storage.',
  options: {
    folder: withDefault(text('FOLDER', 'The folder, by the machine’s own path.'), '/'),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', folder: 'on the machine', files: '[{ name, size, folder }]' },
  examples: ['file list --folder /Usb0 --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { folder, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const { files } = await session.client.call('machine.files', { machine, path: folder }, signal)
    output.result({ machine, folder, files }, table(files.map(rowOf), `${folder} is empty.`))
    return EXIT_OK
  },
})

const rowOf = ({ name, size, folder }: MachineFile): string[] => [
  folder ? `${name}/` : name,
  size === null ? '' : String(size),
]
