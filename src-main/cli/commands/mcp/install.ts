import { dirname, resolve } from 'node:path'
import { agentClients, agentClientTitles } from '@shared/agentClients'
import { AppError } from '@shared/contract/errors'
import { grantableRights } from '@shared/contract/steering'
import { ClientConfiguration, type ClientChange } from '../../../agentClients/clientConfiguration'
import { allowOptions, lastingEntry } from '../../../agentClients/serverEntry'
import { askAtTerminal, canAskAtTerminal } from '../../askAtTerminal'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, choices, flag, folderPath, required, texts } from '../../parameters'
import { ownPackage } from '../../ownPackage'
import { printPatch } from '../../patchText'
import { toned } from '../../printed'
import { patchTone } from '../../stateTones'
import { mcpGroup as group } from './group'

export const mcpInstall = defineCommand({
  group,
  name: 'install',
  summary: 'Add Bridgedeck to the configuration of an agent’s program, or remove it.',
  details:
    'Shows what would change in the file, and asks before it is written; without a terminal it is only shown. Other servers, comments and what you added to the entry stay. The entry names this Bridgedeck by its full path, so that nothing need be on the PATH; that of the npm package is npx -y bridgedeck mcp.',
  positionals: { client: required(choice('CLIENT', 'The agent’s program.', agentClients)) },
  options: {
    allow: choices('RIGHT', 'What the agent may do without asking you; repeat it for several.', grantableRights),
    folder: {
      ...texts('DIR', 'A folder whose files it may use with --allow files; repeat it for several.'),
      completes: 'folder' as const,
    },
    project: folderPath('In the configuration of the project in this folder, in place of your own.'),
    remove: flag('Remove the entry.'),
    yes: flag('Write the file without asking.'),
  },
  data: {
    client: 'its name',
    file: 'the file, as messages call it',
    'server?': '{ command, args, env }: the entry',
    preview: '{ summary, files, warnings, … }: what changes',
    written: 'true or false',
  },
  examples: ['mcp install claude --allow change', 'mcp install vscode --project . --yes', 'mcp install codex --remove'],
  run: async (context, { client, allow, folder, project, remove, yes }) => {
    const { output, folder: base, environment, resources } = context
    const options = [...allowOptions(allow), ...folder.flatMap((path) => ['--folder', resolve(base, path)])]
    const where = { out: dirname(resources), environment, packageName: ownPackage(resources).name }
    const server = remove ? null : lastingEntry(where, options)
    const change: ClientChange = { client, project, server }
    const configuration = new ClientConfiguration(environment)
    const { file, preview } = await configuration.preview(change)
    const title = agentClientTitles[client]
    const answer = { client, file, ...(server ? { server } : {}), preview }
    if (preview.files.length === 0) {
      output.result({ ...answer, written: false }, `Nothing to change: ${file} is already so.`)
      return EXIT_OK
    }
    const shown = [...preview.warnings.map((warning) => toned('notice', warning)), ...patchLines(preview.files)]
    if (!yes && (output.isJson || !canAskAtTerminal(context.streams))) {
      output.result({ ...answer, written: false }, [...shown, 'Nothing was written. Add --yes to write it.'])
      return EXIT_OK
    }
    output.print(shown)
    if (!yes && !(await askAtTerminal(questionAbout(file, title), context)))
      throw new AppError('CANCELLED', `${file} stays as it is.`)
    const { warning } = await configuration.write(change, preview.token)
    output.result({ ...answer, written: true }, [
      `${preview.summary}.`,
      `Start ${title} again, so that it reads its configuration.`,
      ...(warning === null ? [] : [toned('notice', warning)]),
    ])
    return EXIT_OK
  },
})

const patchLines = (files: Parameters<typeof printPatch>[0]) =>
  printPatch(files).map((line) => toned(patchTone(line), line))

const questionAbout = (file: string, title: string) => ({
  message: `Write this to ${file}?`,
  detail: `${title} starts the command of the entry by itself from then on.`,
  action: 'write it',
  withoutTerminal: { message: 'Nobody can be asked.', hint: 'Add --yes to write it.' },
})
