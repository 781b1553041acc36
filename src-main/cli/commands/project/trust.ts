import { AppError } from '@shared/contract/errors'
import { trustQuestion } from '@shared/contract/trust'
import { identifyFolder } from '../../../projects/trust'
import { askAtTerminal } from '../../askAtTerminal'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag } from '../../parameters'
import { projectFolder, projectGroup as group } from './group'

export const projectTrust = defineCommand({
  group,
  name: 'trust',
  summary: 'Trust a folder: agents and git may run in it.',
  details: 'Until a folder is trusted it is restricted: Bridgedeck runs nothing in it, not even git.',
  positionals: { folder: projectFolder },
  options: { yes: flag('Do not ask.') },
  data: { project: 'its number', path: 'absolute path', root: 'path without symbolic links', trusted: 'true' },
  examples: ['project trust .'],
  run: async (context, { folder: path, yes }) => {
    const { output, signal, openSession } = context
    const { root, identity } = identifyFolder(path)
    if (!yes && !(await askAtTerminal(questionAbout(root), context)))
      throw new AppError('CANCELLED', 'The folder stays restricted.')
    const { client } = await openSession()
    const { project } = await client.call('projects.setTrusted', { path, identity }, signal)
    output.result({ project, path, root, trusted: true }, `${root} is trusted: agents and git may run in it.`)
    return EXIT_OK
  },
})

const questionAbout = (root: string) => ({
  ...trustQuestion(root),
  action: 'trust it',
  withoutTerminal: {
    message: 'Only a person at a terminal can trust a folder.',
    hint: 'Call from a terminal, or add --yes if you know what is in the folder.',
  },
})
