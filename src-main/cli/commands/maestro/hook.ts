import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { hookFormats } from '@shared/hookFormats'
import { hookEvents, type HookEvent } from '../../../formats/maestro/hooks/hooksFile'
import { dataFolder } from '../../../files/dataFolder'
import { requireKnownData } from '../../../files/dataVersion'
import { noteDecision } from '../../../loops/maestro/hooks/decisionLog'
import { printAnswer } from '../../../loops/maestro/hooks/hookEvents'
import { runHook } from '../../../loops/maestro/hooks/runHook'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, required, withDefault } from '../../parameters'
import type { InputStream } from '../../streams'
import { terminalText } from '../../terminalText'
import { maestroGroup as group } from './group'

/** Longer input counts as empty. */
const MAX_INPUT_BYTES = 1024 * 1024

const events = Object.keys(hookEvents) as HookEvent[]

export const hookFormat = withDefault(
  choice('VERSION', 'The Maestro version whose answers the host expects.', hookFormats),
  hookFormats[0],
)

export const maestroHook = defineCommand({
  group,
  name: 'hook',
  printsPlainText: true,
  summary: 'Answer an event of the host, such as Gemini CLI: JSON in, one line of JSON out.',
  details:
    'Called by the host; maestro hooks install adds the calls to its settings. Always exits with 0 once the event is known.\n' +
    'MAESTRO_HOOKS_DIR is the folder for what is kept between two events.',
  positionals: { event: required(choice('EVENT', 'What happened.', events)) },
  options: { format: hookFormat },
  examples: ['maestro hook session-start < FILE', 'maestro hook after-agent --format 1.4 < FILE'],
  run: async ({ folder, environment, output, streams: { stdin } }, { event, format }) => {
    const log = (level: string, message: string) => output.rawError(terminalText(`[${level}] maestro: ${message}\n`))
    const answer = await runHook(event, await readInput(stdin, log), {
      folder,
      environment,
      now: Date.now(),
      log,
      note: async (decision) => {
        const data = dataFolder(environment)
        requireKnownData(data)
        await noteDecision(join(data, 'loops'), decision)
      },
    })
    output.raw(`${printAnswer(event, answer, format)}\n`)
    return EXIT_OK
  },
})

async function readInput(stdin: InputStream, log: (level: string, message: string) => void): Promise<string> {
  if (stdin.isTTY) return ''
  try {
    return (await buffer(bounded(stdin))).toString()
  } catch (error) {
    log('WARN', `The input counts as empty: ${error instanceof Error ? error.message : String(error)}`)
    return ''
  }
}

async function* bounded(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of input) {
    bytes += chunk.length
    if (bytes > MAX_INPUT_BYTES) throw new Error(`it has more than ${MAX_INPUT_BYTES} bytes.`)
    yield chunk
  }
}
