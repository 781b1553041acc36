import { requireKnownData } from '../../files/dataVersion'
import type { CommandContext } from '../command'
import { allowedBy, type Granted } from '../mcp/allowed'
import { ownPackage } from '../ownPackage'
import { HttpServer } from './httpServer'
import { newToken, readServer, writeServer } from './serverFile'

interface ServeOptions {
  readonly port: number
  readonly granted: Granted
  readonly dataFolder: string
  readonly wantsNewToken: boolean
  readonly tell: (text: string) => void
}

export async function serveHttp(
  context: Omit<CommandContext, 'output' | 'signal'>,
  { port, granted, dataFolder, wantsNewToken, tell }: ServeOptions,
): Promise<{ readonly url: string; readonly token: string; close(): Promise<void> }> {
  requireKnownData(dataFolder)
  const token = (wantsNewToken ? undefined : readServer(dataFolder)?.token) ?? newToken()
  const server = await HttpServer.start({
    context,
    port,
    token,
    tell,
    version: ownPackage(context.resources).version,
    allowed: allowedBy(granted, context.folder, 'bridgedeck serve'),
  })
  const { url } = server
  writeServer(dataFolder, { url, token })
  return { url, token, close: () => server.close() }
}
