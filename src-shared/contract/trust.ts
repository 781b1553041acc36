/** A project is restricted until the person trusts its folder: before that nothing in it is run, not even git. */
import { z } from 'zod'
import { bridgeCommand, mainCommand } from './define'

const one = z.strictObject({ project: z.int().min(1).max(1_000_000_000) })
const nothing = z.strictObject({})
const repository = z.enum(['committed', 'there'])
export const oneWorktree = one.extend({
  branch: z
    .string()
    .min(1)
    .max(300)
    .regex(/^\P{Cc}+$/u),
})
const ref = z.string().max(1000)
export const removedWorktreeSchema = z.strictObject({ backup: ref, changesBackup: ref.nullable() })
const path = z.string().min(1).max(4096)
const identity = z
  .string()
  .min(1)
  .max(5000)
  .regex(/^\P{Cc}+$/u)

export const trustCommands = {
  'projects.trust': mainCommand({
    input: one,
    output: z.strictObject({ trusted: z.boolean(), repository: repository.nullable() }),
    deadline: 0,
  }),
  'projects.trustRepository': mainCommand({
    input: one,
    output: z.strictObject({ trusted: z.boolean() }),
    deadline: 0,
  }),
  /** Only after a native dialog that names the folder was agreed to; null when it was not. */
  'projects.createRepository': mainCommand({
    input: one,
    output: z.strictObject({ state: repository.nullable() }),
    deadline: 0,
  }),
  /** Only after a native dialog that names the worktree was agreed to; null when it was not. */
  'projects.removeWorktree': mainCommand({ input: oneWorktree, output: removedWorktreeSchema.nullable(), deadline: 0 }),
  'projects.distrust': bridgeCommand({ effect: 'governs', input: one, output: nothing }),
  'projects.folder': bridgeCommand({
    effect: 'reads',
    input: one,
    output: z.strictObject({
      path,
      root: path,
      identity,
      isInRepository: z.boolean(),
      repositoryAbove: z.strictObject({ root: path, identity }).nullable(),
    }),
    page: false,
  }),
  /**
   * Trusts the folder that the person was asked about. @throws CONFLICT when another folder is there by now, NOT_FOUND,
   * FORBIDDEN
   */
  'projects.setTrusted': bridgeCommand({
    effect: 'governs',
    input: z.strictObject({ path, identity }),
    output: one,
    page: false,
  }),
} as const

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

export const trustRepositoryQuestion = (top: string): ReturnType<typeof trustQuestion> => ({
  ...trustQuestion(top),
  message: 'Trust the folder of the whole git repository?',
  detail: `The git repository begins above the project. A worktree is made of all of it, and a merge changes files in all of it.\n\n${trustQuestion(top).detail}`,
})

export const withRepository = 'Also run git init here, with all files as the first commit'

export const repositoryQuestion = (root: string): { message: string; detail: string; button: string } => ({
  message: 'Create a git repository in this folder?',
  detail: [
    root,
    'All files in it that no .gitignore excludes become its first commit. Agents commit their work there, so that it can be checked and undone.',
  ].join('\n\n'),
  button: 'Create the repository',
})
