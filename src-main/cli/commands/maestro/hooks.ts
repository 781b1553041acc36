import { homedir } from 'node:os'
import { installHooks, printHooks, removeHooks } from '../../../formats/maestro/hooks/hooksFile'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, flag, required, text } from '../../parameters'
import { UsageError } from '../../usageError'
import { changeFile } from './changeFile'
import { maestroGroup as group } from './group'
import { hookFormat } from './hook'

const SETTINGS = '.gemini/settings.json'

export const maestroHooks = defineCommand({
  group,
  name: 'hooks',
  printsPlainText: true,
  summary: 'Print the calls of maestro hook for the settings of Gemini CLI, or add or remove them.',
  details:
    'install and remove show the change; with --yes, it is made. Calling it again replaces the same entries. The host starts them as\n' +
    'bridgedeck, so that must be a command. In an extension, the file is hooks/hooks.json.',
  positionals: { action: required(choice('ACTION', 'What to do.', ['print', 'install', 'remove'])) },
  options: {
    file: text('PATH', 'For install and remove: the file, inside the working folder. Default: .gemini/settings.json.'),
    user: flag('In your own settings instead, ~/.gemini/settings.json, for all projects.'),
    format: hookFormat,
    yes: flag('Write the file.'),
  },
  examples: [
    'maestro hooks print',
    'maestro hooks install',
    'maestro hooks install --user',
    'maestro hooks install --file hooks/hooks.json --yes',
  ],
  run: async ({ folder, output, signal }, { action, file: given, user, format, yes }) => {
    if (user && given !== undefined) throw new UsageError('Give one of --file and --user.')
    const file = given ?? SETTINGS
    const shown = user ? `~/${file}` : file
    if (action === 'print') output.raw(printHooks(format))
    else
      await changeFile({
        folder: user ? homedir() : folder,
        file,
        output,
        signal,
        isTrial: !yes,
        summary: action === 'install' ? `Added the hooks to ${shown}.` : `Removed the hooks from ${shown}.`,
        change: (before) =>
          action === 'install'
            ? installHooks(file, before, format)
            : before === null
              ? null
              : removeHooks(file, before),
      })
    return EXIT_OK
  },
})
