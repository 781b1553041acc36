import { createInterface } from 'node:readline/promises'
import { AppError } from '@shared/contract/errors'
import { trustQuestion } from '@shared/contract/trust'
import { identifyFolder } from '../../../projects/trust'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../output'
import { flag } from '../../parameters'
import { terminalText } from '../../terminalText'
import { projectFolder, projectGroup as group } from './group'

export const projectTrust = defineCommand({
  group,
  name: 'trust',
  summary: 'Trust a folder: agents and git may run in it.',
  details: 'Until a folder is trusted it is restricted: Bridgedeck runs nothing in it, not even git.',
  positionals: { folder: projectFolder },
  options: { yes: flag('Do not ask.') },
  run: async ({ output, signal, openSession }, { folder: path, yes }) => {
    const { root, identity } = identifyFolder(path)
    if (!yes && !(await askAtTerminal(root, signal))) throw new AppError('CANCELLED', 'The folder stays restricted.')
    const { client } = await openSession()
    const { project } = await client.call('projects.setTrusted', { path, identity }, signal)
    output.result({ project, path, root, trusted: true }, `${root} is trusted: agents and git may run in it.`)
    return EXIT_OK
  },
})

/** On standard error, so that results can be piped. */
async function askAtTerminal(root: string, signal: AbortSignal): Promise<boolean> {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY)
    throw new AppError('FORBIDDEN', 'Only a person at a terminal can trust a folder.', {
      hint: 'Call from a terminal, or add --yes if you know what is in the folder.',
    })
  const { message, detail } = trustQuestion(root)
  const reader = createInterface({ input: stdin, output: stderr })
  try {
    const answer = await reader.question(terminalText(`${message}\n\n${detail}\n\nType yes to trust it: `), { signal })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    reader.close()
  }
}
