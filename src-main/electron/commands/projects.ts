import { basename } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { repositoryQuestion, trustQuestion, trustRepositoryQuestion, withRepository } from '@shared/contract/trust'
import { counted } from '@shared/countedText'
import type { MainAreaHandlers, MainServices } from './services'

export const createProjectHandlers = ({
  bridge,
  dialogs,
  grants,
  showInFolder,
}: Pick<MainServices, 'bridge' | 'dialogs' | 'grants' | 'showInFolder'>): MainAreaHandlers<'projects'> => ({
  'projects.choose': async (_input, signal) => {
    const path = await dialogs.openFolder('project', 'Open project folder')
    return path === undefined ? { project: null } : bridge('projects.open', { path }, signal)
  },
  'projects.trust': async ({ project }, signal) => {
    const { path, root, identity, isInRepository } = await bridge('projects.folder', { project }, signal)
    const checkbox = isInRepository ? undefined : withRepository
    const { isAgreed, isTicked } = await dialogs.confirmWith(trustQuestion(root), checkbox)
    if (!isAgreed) return { trusted: false, repository: null }
    await bridge('projects.setTrusted', { path, identity }, signal)
    if (!isTicked) return { trusted: true, repository: null }
    const { state } = await bridge('loops.createRepository', { project }, signal)
    return { trusted: true, repository: state }
  },
  'projects.trustRepository': async ({ project }, signal) => {
    const { repositoryAbove: top } = await bridge('projects.folder', { project }, signal)
    if (!top) return { trusted: true }
    if (!(await dialogs.confirm(trustRepositoryQuestion(top.root)))) return { trusted: false }
    await bridge('projects.setTrusted', { path: top.root, identity: top.identity }, signal)
    return { trusted: true }
  },
  'projects.createRepository': async ({ project }, signal) => {
    const { root } = await bridge('projects.folder', { project }, signal)
    if (!(await dialogs.confirm(repositoryQuestion(root)))) return { state: null }
    return bridge('loops.createRepository', { project }, signal)
  },
  'projects.removeWorktree': async (input, signal) => {
    const { root } = await bridge('projects.folder', { project: input.project }, signal)
    const { commits, uncommitted } = await bridge('loops.worktree', input, signal)
    const agreed = await dialogs.confirm({
      message: `Remove the worktree on ${input.branch}?`,
      detail: [
        root,
        `${counted(commits.length, 'commit')} and ${counted(uncommitted.length, 'uncommitted file')} go with it. Refs keep them.`,
      ].join('\n\n'),
      button: 'Remove',
    })
    return agreed ? bridge('loops.removeWorktree', input, signal) : null
  },
  'projects.rollBack': async (input, signal) => {
    const { project, run, request, token } = input
    const { root } = await bridge('projects.folder', { project }, signal)
    const preview = await bridge('projects.preview', { project, run, request }, signal)
    if (preview.token !== token)
      return {
        outcome: 'conflict',
        reason: 'The files or the repository changed since this preview.',
        preview,
        changed: [],
      }
    const changed = `${preview.files.length} file${preview.files.length === 1 ? ' changes' : 's change'}.`
    const agreed = await dialogs.confirm({
      message: `Change git’s history in ${basename(root)}?`,
      detail: [root, preview.git ?? '', changed].join('\n\n'),
      button: 'Continue',
    })
    if (!agreed) throw new AppError('CANCELLED', 'Nothing was changed.')
    return bridge('projects.writeWithGit', input, signal)
  },
  'projects.showInFolder': async ({ project, file }, signal) => {
    showInFolder((await bridge('projects.pathOf', { project, file }, signal)).path)
    return {}
  },
  'projects.openGranted': ({ grant }, signal) => bridge('projects.open', { path: grants.take(grant) }, signal),
})
