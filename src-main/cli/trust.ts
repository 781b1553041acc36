import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { AppError } from '@shared/contract/errors'
import { trustQuestion } from '@shared/contract/trust'
import { identifyFolder } from '../projects/trust'
import type { Operation } from './operations'
import { inert } from './project'

/** Before a folder is trusted, nothing in it is run: no agent, and git neither. */
export const trustOperations = {
  async 'project trust'({ words, session, output, folder, signal }) {
    const path = resolve(folder, words.subject)
    const { root, identity } = identifyFolder(path)
    if (!words.flag('yes') && !(await askAtTerminal(root, signal)))
      throw new AppError('CANCELLED', 'The folder stays restricted.')
    const { project } = await session.client.call('projects.setTrusted', { path, identity }, signal)
    output.result({ project, path, root, trusted: true }, inert(`${root} is trusted: agents and git may run in it.`))
  },

  async 'project distrust'({ words, session, output, folder, signal }) {
    const path = resolve(folder, words.subject)
    const { projects } = await session.client.call('projects.list', {}, signal)
    const found = projects.find(({ place }) => place === path)
    if (found) await session.client.call('projects.distrust', { project: found.project }, signal)
    output.result({ path, trusted: false }, inert(`${path} is restricted: nothing in it is run, git neither.`))
  },
} satisfies Record<string, Operation>

/** On standard error, so that results can be piped. */
async function askAtTerminal(root: string, signal: AbortSignal): Promise<boolean> {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY)
    throw new AppError('FORBIDDEN', 'A folder is trusted by a person at a terminal.', {
      hint: 'Call it from a terminal, or say --yes if you know what is in the folder.',
    })
  const { message, detail } = trustQuestion(root)
  const reader = createInterface({ input: stdin, output: stderr })
  try {
    return /^y(es)?$/i.test(
      (await reader.question(`${message}\n\n${inert(detail)}\n\nType yes to trust it: `, { signal })).trim(),
    )
  } finally {
    reader.close()
  }
}
