import type { MachineFile } from '@shared/contract/machineStorage'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine, required, text, withDefault } from '../../parameters'
import { table } from '../../printed'
import { fileGroup as group } from './group'

const MAX_FOLDERS = 300
const MAX_FOUND = 100

interface Found {
  readonly path: string
  readonly size: number | null
}

export const fileFind = defineCommand({
  group,
  name: 'find',
  summary: 'Find files by name in a machine’s own storage.',
  details: `Looks through a folder and those in it, ${MAX_FOLDERS} at most, and ends at ${MAX_FOUND} files.`,
  positionals: {
    name: required(text('NAME', 'A part of the name, or a pattern with * and ?; capitals do not matter.')),
  },
  options: {
    folder: withDefault(text('FOLDER', 'Where to begin, by the machine’s own path.'), '/'),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', files: '[{ path, size }]', complete: 'whether all was looked through' },
  examples: ['file find *.prg --folder /Usb0 --machine ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { name, folder, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const matches = matcher(name)
    const files: Found[] = []
    const folders = [folder.replace(/\/+$/, '')]
    let looked = 0
    for (; looked < folders.length && looked < MAX_FOLDERS && files.length < MAX_FOUND; looked++) {
      const at = folders[looked] ?? ''
      const { files: entries } = await session.client.call('machine.files', { machine, path: at || '/' }, signal)
      folders.push(...entries.filter((entry) => entry.folder).map((entry) => pathIn(at, entry)))
      files.push(
        ...entries
          .filter((entry) => !entry.folder && matches(entry.name))
          .map((entry) => ({ path: pathIn(at, entry), size: entry.size })),
      )
      output.progress(null, `${looked + 1} folders`)
    }
    const complete = looked === folders.length
    output.result({ machine, files: files.slice(0, MAX_FOUND), complete }, [
      table(
        files.slice(0, MAX_FOUND).map(({ path, size }) => [path, size === null ? '' : String(size)]),
        `No file is called ${name}.`,
      ),
      ...(complete ? [] : ['Not all folders were looked through: name one with --folder.']),
    ])
    return EXIT_OK
  },
})

const pathIn = (folder: string, { name }: MachineFile): string => `${folder}/${name}`

/** Plain text matching, as a pattern made into a regular expression could take very long. */
function matcher(pattern: string): (name: string) => boolean {
  const wanted = pattern.toLowerCase()
  if (!/[*?]/.test(wanted)) return (name) => name.toLowerCase().includes(wanted)
  return (name) => matchesPattern(name.toLowerCase(), wanted)
}

function matchesPattern(name: string, pattern: string): boolean {
  let [at, from, star, kept] = [0, 0, -1, 0]
  while (at < name.length) {
    if (pattern[from] === '*') [star, kept, from] = [from, at, from + 1]
    else if (from < pattern.length && (pattern[from] === '?' || pattern[from] === name[at]))
      [at, from] = [at + 1, from + 1]
    else if (star >= 0) [kept, at, from] = [kept + 1, kept + 1, star + 1]
    else return false
  }
  return /^\**$/.test(pattern.slice(from))
}
