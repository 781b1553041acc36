import { once } from 'node:events'
import { dataFolder } from '../../../files/dataFolder'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { grantableRights } from '@shared/contract/steering'
import { choices, flag, number, texts, withDefault } from '../../parameters'
import { apiGroup as group } from './group'

const USUAL_PORT = 6464

export const apiServe = defineCommand({
  group,
  name: 'serve',
  summary: 'Serve the machines to agents and scripts over HTTP, on this computer only.',
  details:
    'Agents use the Model Context Protocol at /mcp, scripts the API at /api, with the token that is printed. They use the machines of the running Bridgedeck; if none runs, one starts in the background. Looking is always allowed. For the rest they ask you in the window; without a window, they may do what --allow says. It serves until Ctrl+C.',
  options: {
    port: withDefault(
      number('N', 'The port on 127.0.0.1; 0 for any that is free.', { min: 0, max: 65_535 }),
      USUAL_PORT,
    ),
    allow: choices('RIGHT', 'What clients may do without asking you; repeat it for several.', grantableRights),
    folder: {
      ...texts(
        'DIR',
        'A folder whose files they may use with --allow files; repeat it for several. Default: the working folder.',
      ),
      completes: 'folder' as const,
    },
    'new-token': flag('Make a new token; the old one no longer works.'),
  },
  data: { url: 'where it listens', token: 'what clients send as “Authorization: Bearer TOKEN”' },
  examples: ['serve', 'serve --port 0 --allow change', 'serve --allow change --allow files --folder games --new-token'],
  run: async ({ output, signal, ...context }, { port, allow, folder: folders, ...values }) => {
    const { serveHttp } = await import('../../http/serveHttp')
    const server = await serveHttp(context, {
      port,
      granted: { rights: allow, folders },
      dataFolder: dataFolder(context.environment),
      wantsNewToken: values['new-token'],
      tell: (text) => output.print(text),
    })
    try {
      const { url, token } = server
      output.result(
        { url, token },
        [`Agents: ${url}/mcp`, `Scripts: ${url}/api`, `Token: ${token}`, 'Stop with Ctrl+C.'].join('\n'),
      )
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      await server.close()
    }
    return EXIT_OK
  },
})
