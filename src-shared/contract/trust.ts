/** A project is restricted until the person trusts its folder: nothing in it is run before that, git neither. */
import { z } from 'zod'
import { bridgeCommand, mainCommand } from './define'

const one = z.strictObject({ project: z.int().min(1).max(1_000_000_000) })
const nothing = z.strictObject({})
const repository = z.enum(['committed', 'there'])
/** Of a run, by its branch. */
export const oneWorktree = one.extend({
  branch: z
    .string()
    .min(1)
    .max(300)
    .regex(/^\P{Cc}+$/u),
})
const ref = z.string().max(1000)
/** The refs that keep its branch, and what was not committed. */
export const removedWorktreeSchema = z.strictObject({ backup: ref, changesBackup: ref.nullable() })
const path = z.string().min(1).max(4096)
/** Another for each folder, wherever it stands. */
const identity = z
  .string()
  .min(1)
  .max(5000)
  .regex(/^\P{Cc}+$/u)

export const trustCommands = {
  /** A native dialog that names the folder decides. */
  'projects.trust': mainCommand({
    input: one,
    /** The repository that was asked for in the same dialog; null when none was. */
    output: z.strictObject({ trusted: z.boolean(), repository: repository.nullable() }),
    deadline: 0,
  }),
  /** The same for the top of a git repository that begins above the project; no question where there is none to trust. */
  'projects.trustRepository': mainCommand({
    input: one,
    output: z.strictObject({ trusted: z.boolean() }),
    deadline: 0,
  }),
  /** As `loops.createRepository`, once a native dialog that names the folder was agreed to; null when it was not. */
  'projects.createRepository': mainCommand({
    input: one,
    output: z.strictObject({ state: repository.nullable() }),
    deadline: 0,
  }),
  /** As `loops.removeWorktree`, once a native dialog that names it was agreed to; null when it was not. */
  'projects.removeWorktree': mainCommand({ input: oneWorktree, output: removedWorktreeSchema.nullable(), deadline: 0 }),
  'projects.distrust': bridgeCommand({ effect: 'governs', input: one, output: nothing }),
  /** Where the folder of a project was opened, and which folder that is now. */
  'projects.folder': bridgeCommand({
    effect: 'reads',
    input: one,
    output: z.strictObject({
      path,
      root: path,
      identity,
      isInRepository: z.boolean(),
      /** The top of its git repository where that lies above the project, and outside of what the person trusts. */
      repositoryAbove: z.strictObject({ root: path, identity }).nullable(),
    }),
    page: false,
  }),
  /** Trusts the folder that the person was asked about. @throws CONFLICT when another stands there by now, NOT_FOUND, FORBIDDEN */
  'projects.setTrusted': bridgeCommand({
    effect: 'governs',
    input: z.strictObject({ path, identity }),
    output: one,
    page: false,
  }),
} as const

/**
 * What the person is asked before a folder is trusted, the same wherever.
 * @param root of the folder, links resolved
 */
export const trustQuestion = (root: string): { message: string; detail: string; button: string } => ({
  message: 'Trust this folder?',
  detail: [
    root,
    'Agents that you start in it can do anything that you can: read, change and delete your files, run programs, use the network.',
    'Git runs in it to look up and undo commits. Programs named by the repository’s own settings are not run.',
    'Trust it only if you know where it comes from.',
  ].join('\n\n'),
  button: 'Trust the folder',
})

/** The same for the top of a git repository that begins above a project. */
export const trustRepositoryQuestion = (top: string): ReturnType<typeof trustQuestion> => ({
  ...trustQuestion(top),
  message: 'Trust the folder of the whole git repository?',
  detail: `The git repository begins above the project. A worktree is made of all of it, and a merge changes files in all of it.\n\n${trustQuestion(top).detail}`,
})

/** Offered in that dialog where there is no git repository. */
export const withRepository = 'Also run git init here, with all files as the first commit'

/** What the person is asked before a git repository is made. @param root of the folder, links resolved */
export const repositoryQuestion = (root: string): { message: string; detail: string; button: string } => ({
  message: 'Create a git repository in this folder?',
  detail: [
    root,
    'All files in it that no .gitignore excludes become its first commit. Agents commit their work there, so that it can be checked and undone.',
  ].join('\n\n'),
  button: 'Create the repository',
})
