import { basename, join } from 'node:path'
import { toFailure, describeFailure } from '@shared/contract/errors'
import { initCrew } from '../../../loops/ncrew/init'
import { createRepository } from '../../../loops/repository'
import { identifyFolder, requireTrusted } from '../../../projects/trust'
import { defineCommand, type CommandContext } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag, text, withDefault } from '../../parameters'
import { crewFolder, ncrewGroup as group } from './group'

const DEFAULT_CREW = 'default'
const EXIT_UNKNOWN_CREW = 2
const EXIT_CREW_EXISTS = 3
const EXIT_GIT_FAILED = 4

export const ncrewInit = defineCommand({
  group,
  name: 'init',
  summary: 'Copy a default crew into a folder; overwrites nothing.',
  positionals: { folder: crewFolder },
  options: {
    name: text('NAME', 'The name of the project. Default: the folder’s name.'),
    idea: text('TEXT', 'What to build; written to IDEA.md.'),
    crew: withDefault(text('NAME', 'The crew to copy.'), DEFAULT_CREW),
    'no-git': flag('Do not create a git repository.'),
    trust: flag('Trust the folder, and create a git repository with a first commit.'),
  },
  data: {
    folder: 'absolute path',
    created: 'its new files',
    kept: 'files that were there',
    repository: 'committed, none, there or failed',
  },
  examples: ["ncrew init ~/idea --name idea --idea 'A tool that prints PETSCII posters'"],
  run: async (context, { folder, name, idea, crew, 'no-git': noGit, trust }) => {
    const { output } = context
    if (crew !== DEFAULT_CREW) {
      output.failure({
        code: 'NOT_FOUND',
        message: `There is no crew “${crew}”.`,
        hint: `The only crew is ${DEFAULT_CREW}.`,
      })
      return EXIT_UNKNOWN_CREW
    }
    const made = await initCrew({
      folder,
      name: name ?? basename(folder),
      idea,
      crew: join(context.resources, 'ncrew', crew),
      now: Date.now(),
    })
    if (made.created.length === 0) {
      output.failure({
        code: 'CONFLICT',
        message: `${made.folder} already has a crew; nothing was changed.`,
        hint: 'ncrew status shows its progress.',
      })
      return EXIT_CREW_EXISTS
    }
    const repository = noGit || !trust ? noRepository(noGit) : await firstCommit(context, made.folder)
    const lines = [
      `Created in ${made.folder}:`,
      ...made.created.map((path) => `  ${path}`),
      ...(made.kept.length === 0 ? [] : [`Left unchanged: ${made.kept.join(', ')}`]),
      repository.message,
    ]
    output.result({ ...made, repository: repository.state }, lines.join('\n'))
    return repository.state === 'failed' ? EXIT_GIT_FAILED : EXIT_OK
  },
})

interface Repository {
  readonly state: 'committed' | 'none' | 'there' | 'failed'
  readonly message: string
}

function noRepository(isWanted: boolean): Repository {
  const none = 'Experts commit their work: create a git repository with a first commit here before the first run.'
  return { state: 'none', message: isWanted ? none : `${none} init --trust does that.` }
}

/** Experts commit, so a repository must exist; git runs only in a trusted folder. */
async function firstCommit({ openSession, signal }: CommandContext, folder: string): Promise<Repository> {
  const { client } = await openSession()
  const { identity } = identifyFolder(folder)
  await client.call('projects.setTrusted', { path: folder, identity }, signal)
  const at = requireTrusted({ path: folder, trustedAs: identity })
  try {
    const state = await createRepository(at, signal)
    const message =
      state === 'there'
        ? 'The folder is already in a git repository: commit the new files before the first run.'
        : 'Created a git repository with a first commit. Start with ncrew run.'
    return { state, message }
  } catch (error) {
    return { state: 'failed', message: `git could not commit the files: ${describeFailure(toFailure(error))}` }
  }
}
