import { defineCommand } from '../command'
import { EXIT_OK } from '../exitCodes'

/** For agents alone: a person undoes what they see in the window's list of calls. */
export const undoLast = defineCommand({
  name: 'undo',
  summary: 'Undo the last call of yours that changed a machine.',
  data: { text: 'what was put back' },
  run: async ({ output, signal, openSession }) => {
    const { client } = await openSession()
    const { text } = await client.call('agentLine.undo', {}, signal)
    output.result({ text }, text)
    return EXIT_OK
  },
})
