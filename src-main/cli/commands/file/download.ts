import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine, required, text } from '../../parameters'
import { fileGroup as group } from './group'
import { showTransfers } from './transferProgress'

export const fileDownload = defineCommand({
  group,
  name: 'download',
  summary: 'Copy a file from a machine’s own storage to this computer.',
  positionals: { path: required(text('PATH', 'The file, by the machine’s own path.')) },
  options: {
    out: required(filePath('The file to write; one that is there is replaced.')),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', path: 'on the machine', out: 'absolute path', size: 'bytes' },
  examples: ['file download /Usb0/game.d64 --out game.d64 --machine ultimate:192.168.1.64'],
  run: async (context, { path, out, machine }) => {
    const { output, signal } = context
    const session = await context.openSession()
    await session.connect(machine, signal)
    const input = { machine, from: path, path: out.path }
    const { size } = await session.client
      .call('machine.downloadFile', input, signal)
      .finally(showTransfers(context, session, machine))
    output.result(
      { machine, path, out: out.path, size },
      `Saved ${path} of ${machine} in ${out.written} (${size} bytes).`,
    )
    return EXIT_OK
  },
})
