import { basename, extname } from 'node:path'
import { nameOfSnapshot } from '@shared/contract/memorySnapshots'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { address, filePath, optional, required } from '../../parameters'
import { readName, replace, snapshotData, snapshotGroup as group, snapshotShape } from './group'

export const snapshotImport = defineCommand({
  group,
  name: 'import',
  summary: 'Import the memory in a file as a snapshot.',
  details:
    'FILE is a snapshot of VICE (.vsf), a PRG, or 65,536 bytes; with --address, any bytes that begin there. Without NAME it is called as the file.',
  positionals: {
    file: required(filePath('The file to read.')),
    name: optional('NAME', 'What to call it.', readName),
  },
  options: { address: address('The address of the first byte; for a file in none of the other formats.'), replace },
  data: { snapshot: snapshotShape },
  examples: ['snapshot import crash.vsf', 'snapshot import dump.bin "the dump" --address \'$c000\''],
  run: async (
    { output, signal, openSession },
    { file, name = nameOfSnapshot(basename(file.path, extname(file.path))), address = null, replace: replaces },
  ) => {
    const { client } = await openSession()
    const snapshot = await client.call('snapshots.import', { name, path: file.path, address, replaces }, signal)
    output.result({ snapshot: snapshotData(snapshot) }, `Read ${file.written} as ${name}.`)
    return EXIT_OK
  },
})
