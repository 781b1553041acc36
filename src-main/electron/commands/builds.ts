import { buildQuestion } from '@shared/contract/builds'
import type { MainAreaHandlers, MainServices } from './services'

export const createBuildHandlers = ({
  bridge,
  dialogs,
}: Pick<MainServices, 'bridge' | 'dialogs'>): MainAreaHandlers<'builds'> => ({
  'builds.choose': async ({ what }, signal) => {
    const target =
      what === 'folder'
        ? await dialogs.openFolder('project', 'Folder to build in')
        : await dialogs.open('program', 'Source file to build', [
            { name: 'Source files', extensions: ['asm', 's', 'a', 'c', 'tas', 'acme'] },
            { name: 'All files', extensions: ['*'] },
          ])
    return { plan: target === undefined ? null : await bridge('builds.plan', { target }, signal) }
  },
  'builds.approve': async ({ target: given, command, program }, signal) => {
    const { target, folder, identity, files, digest } = await bridge('builds.plan', { target: given, command }, signal)
    if (!(await dialogs.confirm(buildQuestion(folder, command, files)))) return { plan: null }
    await bridge('projects.setTrusted', { path: folder, identity }, signal)
    return { plan: await bridge('builds.approved', { target, command, program, digest }, signal) }
  },
})
