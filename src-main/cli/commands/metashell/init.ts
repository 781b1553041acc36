import { basename } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { initSession } from '../../../loops/metashell/init'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { folderPath, required, text } from '../../parameters'
import { metashellGroup as group } from './group'

export const metashellInit = defineCommand({
  group,
  name: 'init',
  summary: 'Describe a new project in .meta/context.md; overwrites nothing.',
  positionals: { folder: required(folderPath('The folder of the project.')) },
  options: {
    name: text('NAME', 'The name of the project. Default: the folder’s name.'),
    idea: required(text('TEXT', 'What to build.')),
  },
  data: { folder: 'absolute path', created: 'its new files', kept: 'files that were there' },
  examples: ["metashell init . --idea 'A tool that prints PETSCII posters'"],
  run: async ({ output }, { folder, name, idea }) => {
    const made = await initSession({ folder, name: name ?? basename(folder), idea })
    if (made.created.length === 0)
      throw new AppError('CONFLICT', `${made.folder} already has a .meta/context.md; nothing was changed.`, {
        hint: 'Change it there, or start it with metashell run.',
      })
    output.result(made, `Created ${made.created.join(', ')} in ${made.folder}. Trust the folder, then metashell run.`)
    return EXIT_OK
  },
})
