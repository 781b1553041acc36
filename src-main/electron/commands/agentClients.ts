import { agentClientTitles } from '@shared/agentClients'
import type { MainAreaHandlers, MainServices } from './services'

export const createAgentClientHandlers = ({
  bridge,
  dialogs,
}: Pick<MainServices, 'bridge' | 'dialogs'>): MainAreaHandlers<'agentClients'> => ({
  'agentClients.change': async ({ token, ...change }, signal) => {
    const { client, action } = change
    const title = agentClientTitles[client]
    const { file, command } = await bridge('agentClients.preview', change, signal)
    const agreed = await dialogs.confirm({
      message: action === 'add' ? `Add Bridgedeck to ${title}?` : `Remove Bridgedeck from ${title}?`,
      detail:
        action === 'add'
          ? `Changes ${file} as shown. ${title} then starts this by itself:\n\n${command}`
          : `Changes ${file} as shown.`,
      button: action === 'add' ? 'Add' : 'Remove',
    })
    return agreed ? bridge('agentClients.write', { ...change, token }, signal) : null
  },
})
