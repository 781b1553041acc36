import { AppError, errorCodes } from '@shared/contract/errors'
import { isJsonObject, parseJson, type JsonObject } from '@shared/json'
import { BridgedeckError, connect } from '../../../../src-client/index'
import { dataFolder } from '../../../files/dataFolder'
import { defineCommand } from '../../command'
import { EXIT_FAILED, EXIT_OK } from '../../exitCodes'
import { readServer } from '../../http/serverFile'
import { filePath, required, json, text } from '../../parameters'
import { saveFile } from '../../saveFile'
import { UsageError } from '../../usageError'
import { apiGroup as group } from './group'

export const apiCall = defineCommand({
  group,
  name: 'call',
  summary: 'Call an operation of a running “bridgedeck serve”, as scripts do.',
  details:
    'TOOL, OP and the arguments are those of the API’s page and of docs/agents.md. The server that was last started on this computer is called; for another one give --url, and its token in BRIDGEDECK_TOKEN.',
  positionals: {
    tool: required(text('TOOL', 'The tool, such as memory.')),
    op: required(text('OP', 'The operation, such as read.')),
    arguments: json('Its arguments, as a JSON object.'),
  },
  options: {
    url: text('URL', 'Where the server listens, such as http://127.0.0.1:6464.'),
    name: text('NAME', 'How you call yourself to the person who watches. Default: script.'),
    png: filePath('The PNG file to write, of an operation that makes a picture.'),
  },
  data: { text: 'what the operation says', data: 'the same as data', 'png?': 'absolute path', failed: 'true or false' },
  examples: ['call memory read \'{"address":"$d020"}\'', 'call see picture --png screen.png'],
  run: async ({ output, signal, environment }, { tool, op, url, name, png, ...values }) => {
    const given = readArguments(values.arguments)
    const server = serverToCall(url, environment)
    const bridgedeck = connect({ ...server, ...(name === undefined ? {} : { name }) })
    try {
      const answer = await bridgedeck.call(tool, op, given, { signal })
      const { data, picture, failed } = answer
      if (png && !picture) throw new UsageError(`${tool} ${op} makes no picture; leave --png out.`)
      if (png && picture) await saveFile(png, picture)
      const said = await answer.wholeText()
      const saved = png ? { png: png.path } : {}
      output.result({ text: said, data, ...saved, failed }, png ? `${said}\nSaved as ${png.written}.` : said)
      return failed ? EXIT_FAILED : EXIT_OK
    } catch (error) {
      throw error instanceof BridgedeckError ? asAppError(error) : error
    }
  },
})

function readArguments(given: string | undefined): JsonObject {
  const value = given === undefined ? {} : parseJson(given, 'JSON')
  if (!isJsonObject(value)) throw new UsageError('JSON is an object, such as {"address":"$d020"}.')
  return value
}

/** Security: a token goes only to its own server. */
function serverToCall(url: string | undefined, environment: NodeJS.ProcessEnv): { url: string; token: string } {
  const known = readServer(dataFolder(environment))
  const { BRIDGEDECK_TOKEN: given } = environment
  if (url !== undefined && !/^https?:\/\/\S+$/.test(url))
    throw new UsageError(`--url is such as http://127.0.0.1:6464, not “${url}”.`)
  const wanted = url === undefined ? known?.url : new URL(url).origin
  const token = given ? given : wanted === known?.url ? known?.token : undefined
  if (wanted === undefined)
    throw new AppError('UNREACHABLE', 'No server was started yet.', { hint: 'Start it with “bridgedeck serve”.' })
  if (token === undefined)
    throw new AppError('FORBIDDEN', `The token for ${wanted} is not known.`, { hint: 'Set BRIDGEDECK_TOKEN to it.' })
  return { url: wanted, token }
}

function asAppError({ code, message, hint }: BridgedeckError): AppError {
  const known = errorCodes.find((each) => each === code) ?? 'INTERNAL'
  return new AppError(known, message, hint === undefined ? {} : { hint })
}
