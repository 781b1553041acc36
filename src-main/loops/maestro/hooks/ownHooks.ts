/** Hooks of Bridgedeck in the person's own files, which count in every project. */
import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import type { Output } from '@shared/contract/contract'
import { hooksIn } from '../../../formats/maestro/hooks/hooksFile'
import { extensionFolder } from '../stateFiles'

/** More is no settings file. */
const MAX_FILE_BYTES = 1024 * 1024

/** Those that have some: the person's settings of Gemini CLI, and the hooks of Maestro's extension. */
export async function ownHooks(
  environment: NodeJS.ProcessEnv,
  home: string = homedir(),
): Promise<Output<'loops.hookDecisions'>['own']> {
  const files = [join(home, '.gemini/settings.json'), join(extensionFolder(environment), 'hooks/hooks.json')]
  const found = await Promise.all(
    files.map(async (file) => ({
      file: file.startsWith(home + sep) ? `~${file.slice(home.length)}` : file,
      events: hooksIn(file, await textOf(file)).map(({ event }) => event),
    })),
  )
  return found.filter(({ events }) => events.length > 0)
}

async function textOf(file: string): Promise<string> {
  try {
    const found = await stat(file)
    return found.isFile() && found.size <= MAX_FILE_BYTES ? await readFile(file, 'utf8') : ''
  } catch {
    return ''
  }
}
