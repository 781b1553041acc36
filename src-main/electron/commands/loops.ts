import type { MainAreaHandlers, MainServices } from './services'

export const createLoopHandlers = ({
  bridge,
  dialogs,
}: Pick<MainServices, 'bridge' | 'dialogs'>): MainAreaHandlers<'loops'> => ({
  'loops.changeOwnHooks': async (input, signal) => {
    const { action } = input
    const agreed = await dialogs.confirm({
      message:
        action === 'install' ? 'Install Maestro’s hooks for all projects?' : 'Remove Maestro’s hooks for all projects?',
      detail:
        action === 'install'
          ? 'Changes ~/.gemini/settings.json as shown: Gemini CLI then calls bridgedeck maestro hook in each of your projects.'
          : 'Changes ~/.gemini/settings.json as shown. Hooks of single projects stay.',
      button: action === 'install' ? 'Install' : 'Remove',
    })
    return agreed ? bridge('loops.writeOwnHooks', input, signal) : null
  },
})
