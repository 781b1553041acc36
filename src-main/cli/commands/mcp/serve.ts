import { once } from 'node:events'
import { grantableRights } from '@shared/contract/steering'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choices, text, texts } from '../../parameters'
import { mcpGroup as group } from './group'

export const mcpServe = defineCommand({
  group,
  name: 'serve',
  summary: 'Serve the machines to an agent (Model Context Protocol).',
  details:
    'An agent’s program starts this and talks to it by standard input and output. It uses the machines of the running Bridgedeck, so that you see what it does; if none runs, one starts in the background. Looking is always allowed. For the rest it asks you in the window; without a window, it may do what --allow says.',
  printsPlainText: true,
  options: {
    allow: choices('RIGHT', 'What the agent may do without asking you; repeat it for several.', grantableRights),
    folder: {
      ...texts(
        'DIR',
        'A folder whose files it may use with --allow files; repeat it for several. Default: the working folder.',
      ),
      completes: 'folder' as const,
    },
    name: text('TEXT', 'What the agent is called in the window. Default: as its program calls itself.'),
  },
  examples: ['mcp', 'mcp --allow change', 'mcp --allow change --allow files --folder games'],
  run: async (context, { allow, folder: folders, name }) => {
    const { serveStdio } = await import('../../mcp/stdio')
    const { signal } = context
    const server = await serveStdio(context, { rights: allow, folders, name })
    try {
      await Promise.race([server.ended, signal.aborted ? undefined : once(signal, 'abort')])
    } finally {
      await server.close()
    }
    return EXIT_OK
  },
})
